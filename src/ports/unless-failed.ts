// Answers that are worked out once for whatever they are about: two who ask at the same time wait for the same one. A failure is no answer:
// it belongs to who asked first, and the next one may fare better.

interface Known<Key, Value> {
  get(key: Key): Promise<Value> | undefined;
  set(key: Key, value: Promise<Value>): unknown;
  delete(key: Key): unknown;
}

export function rememberUnlessFailed<Key, Value>(
  known: Known<Key, Value>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  made.catch(() => {
    if (known.get(key) === made) known.delete(key);
  });
  return made;
}
