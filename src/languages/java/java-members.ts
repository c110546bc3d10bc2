// Lists the members of those types in Java's own library that classes are built on most: names of public and protected members, as Java 17
// has them, plus what came until 25. The members of `Object` are left out.

/** Tells whether a type of the library has a member of this name. Undefined for a type that is not listed. */
export function libraryBrings(full: string, name: string): boolean | undefined {
  const row = types.get(full);
  return row === undefined
    ? undefined
    : row.members.has(name) || row.above.some((one) => libraryBrings(one, name) !== false);
}

interface Row {
  readonly above: readonly string[];
  readonly members: ReadonlySet<string>;
}

const types = read(`
java.io
  Closeable < java.lang.AutoCloseable:
  Flushable: flush
  Serializable:
  Externalizable: readExternal writeExternal
  DataInput: readBoolean readByte readChar readDouble readFloat readFully readInt readLine readLong readShort readUTF readUnsignedByte
    readUnsignedShort skipBytes
  DataOutput: write writeBoolean writeByte writeBytes writeChar writeChars writeDouble writeFloat writeInt writeLong writeShort writeUTF
  ObjectInput < DataInput java.lang.AutoCloseable: available read readObject skip
  ObjectOutput < DataOutput java.lang.AutoCloseable: flush writeObject
  ObjectStreamConstants: PROTOCOL_VERSION_1 PROTOCOL_VERSION_2 SC_BLOCK_DATA SC_ENUM SC_EXTERNALIZABLE SC_SERIALIZABLE SC_WRITE_METHOD
    SERIAL_FILTER_PERMISSION STREAM_MAGIC STREAM_VERSION SUBCLASS_IMPLEMENTATION_PERMISSION SUBSTITUTION_PERMISSION TC_ARRAY TC_BASE
    TC_BLOCKDATA TC_BLOCKDATALONG TC_CLASS TC_CLASSDESC TC_ENDBLOCKDATA TC_ENUM TC_EXCEPTION TC_LONGSTRING TC_MAX TC_NULL TC_OBJECT
    TC_PROXYCLASSDESC TC_REFERENCE TC_RESET TC_STRING baseWireHandle
  InputStream < Closeable: available mark markSupported nullInputStream read readAllBytes readNBytes reset skip skipNBytes transferTo
  FilterInputStream < InputStream: in
  BufferedInputStream < FilterInputStream: buf count marklimit markpos pos
  DataInputStream < FilterInputStream DataInput:
  ByteArrayInputStream < InputStream: buf count pos
  FileInputStream < InputStream: getChannel getFD
  PushbackInputStream < FilterInputStream: buf pos unread
  ObjectInputStream < InputStream ObjectInput ObjectStreamConstants: defaultReadObject enableResolveObject getObjectInputFilter
    readClassDescriptor readFields readObjectOverride readStreamHeader readUnshared registerValidation resolveClass resolveObject
    resolveProxyClass setObjectInputFilter
  OutputStream < Closeable Flushable: nullOutputStream write
  FilterOutputStream < OutputStream: out
  BufferedOutputStream < FilterOutputStream: buf count
  DataOutputStream < FilterOutputStream DataOutput: size written
  ByteArrayOutputStream < OutputStream: buf count reset size toByteArray writeBytes writeTo
  FileOutputStream < OutputStream: getChannel getFD
  ObjectOutputStream < OutputStream ObjectOutput ObjectStreamConstants: annotateClass annotateProxyClass defaultWriteObject drain
    enableReplaceObject putFields replaceObject reset useProtocolVersion writeClassDescriptor writeFields writeObjectOverride
    writeStreamHeader writeUnshared
  PrintStream < FilterOutputStream java.lang.Appendable Closeable: checkError clearError format print printf println setError writeBytes
  Reader < java.lang.Readable Closeable: lock mark markSupported nullReader of readAllAsString readAllLines ready reset skip transferTo
  BufferedReader < Reader: lines readLine
  FilterReader < Reader: in
  InputStreamReader < Reader: getEncoding
  FileReader < InputStreamReader:
  StringReader < Reader:
  PushbackReader < FilterReader: unread
  LineNumberReader < BufferedReader: getLineNumber setLineNumber
  Writer < java.lang.Appendable Closeable Flushable: lock nullWriter of write
  BufferedWriter < Writer: newLine
  FilterWriter < Writer: out
  OutputStreamWriter < Writer: getEncoding
  FileWriter < OutputStreamWriter:
  PrintWriter < Writer: checkError clearError format out print printf println setError
  StringWriter < Writer: getBuffer
  FileFilter FilenameFilter: accept
  File < java.lang.Comparable: canExecute canRead canWrite createNewFile createTempFile delete deleteOnExit exists getAbsoluteFile
    getAbsolutePath getCanonicalFile getCanonicalPath getFreeSpace getName getParent getParentFile getPath getTotalSpace getUsableSpace
    isAbsolute isDirectory isFile isHidden lastModified length list listFiles listRoots mkdir mkdirs pathSeparator pathSeparatorChar
    renameTo separator separatorChar setExecutable setLastModified setReadOnly setReadable setWritable toPath toURI toURL
  IOException < java.lang.Exception:
  EOFException FileNotFoundException UnsupportedEncodingException < IOException:
  UncheckedIOException < java.lang.RuntimeException:
  InterruptedIOException < IOException: bytesTransferred
java.lang
  Appendable: append
  AutoCloseable: close
  CharSequence: charAt chars codePoints compare getChars isEmpty length subSequence
  ClassLoader: clearAssertionStatus defineClass definePackage findClass findLibrary findLoadedClass findResource findResources
    findSystemClass getClassLoadingLock getDefinedPackage getDefinedPackages getName getPackage getPackages getParent getPlatformClassLoader
    getResource getResourceAsStream getResources getSystemClassLoader getSystemResource getSystemResourceAsStream getSystemResources
    getUnnamedModule isRegisteredAsParallelCapable loadClass registerAsParallelCapable resolveClass resources setClassAssertionStatus
    setDefaultAssertionStatus setPackageAssertionStatus setSigners
  Cloneable:
  Comparable: compareTo
  Iterable: forEach iterator spliterator
  Number: byteValue doubleValue floatValue intValue longValue shortValue
  Readable: read
  Runnable: run
  Thread < Runnable: Builder MAX_PRIORITY MIN_PRIORITY NORM_PRIORITY activeCount checkAccess countStackFrames currentThread dumpStack
    enumerate getAllStackTraces getContextClassLoader getDefaultUncaughtExceptionHandler getId getName getPriority getStackTrace getState
    getThreadGroup getUncaughtExceptionHandler holdsLock interrupt interrupted isAlive isDaemon isInterrupted isVirtual join ofPlatform
    ofVirtual onSpinWait resume setContextClassLoader setDaemon setDefaultUncaughtExceptionHandler setName setPriority
    setUncaughtExceptionHandler sleep start startVirtualThread stop suspend threadId yield
  ThreadLocal: get initialValue remove set withInitial
  InheritableThreadLocal < ThreadLocal: childValue
  Throwable: addSuppressed fillInStackTrace getCause getLocalizedMessage getMessage getStackTrace getSuppressed initCause printStackTrace
    setStackTrace
  Exception Error < Throwable:
  RuntimeException InterruptedException CloneNotSupportedException ReflectiveOperationException < Exception:
  IllegalArgumentException IllegalStateException UnsupportedOperationException IndexOutOfBoundsException SecurityException
    ClassCastException NullPointerException ArithmeticException < RuntimeException:
  NumberFormatException < IllegalArgumentException:
  ClassNotFoundException < ReflectiveOperationException: getException
  NoSuchFieldException NoSuchMethodException < ReflectiveOperationException:
  AssertionError LinkageError < Error:
java.lang.annotation
  Annotation: annotationType
java.lang.reflect
  InvocationHandler: invoke invokeDefault
  Type: getTypeName
  ParameterizedType < Type: getActualTypeArguments getOwnerType getRawType
  GenericArrayType < Type: getGenericComponentType
  WildcardType < Type: getLowerBounds getUpperBounds
  TypeVariable < Type AnnotatedElement: getAnnotatedBounds getBounds getGenericDeclaration getName
  AnnotatedElement: getAnnotation getAnnotations getAnnotationsByType getDeclaredAnnotation getDeclaredAnnotations
    getDeclaredAnnotationsByType isAnnotationPresent
java.net
  URLStreamHandler: getDefaultPort getHostAddress hostsEqual openConnection parseURL sameFile setURL toExternalForm
  URLStreamHandlerFactory: createURLStreamHandler
java.nio.file
  FileVisitor: postVisitDirectory preVisitDirectory visitFile visitFileFailed
  SimpleFileVisitor < FileVisitor:
  PathMatcher: matches
java.security
  PrivilegedAction PrivilegedExceptionAction: run
  GeneralSecurityException < java.lang.Exception:
java.text
  Format: format formatToCharacterIterator parseObject
  ParseException < java.lang.Exception: getErrorOffset
  FieldPosition: getBeginIndex getEndIndex getField getFieldAttribute setBeginIndex setEndIndex
  ParsePosition: getErrorIndex getIndex setErrorIndex setIndex
java.util
  Iterator: forEachRemaining hasNext next remove
  ListIterator < Iterator: add hasPrevious nextIndex previous previousIndex set
  PrimitiveIterator < Iterator:
  Enumeration: asIterator hasMoreElements nextElement
  Comparator: compare comparing comparingDouble comparingInt comparingLong max min naturalOrder nullsFirst nullsLast reverseOrder reversed
    thenComparing thenComparingDouble thenComparingInt thenComparingLong
  Spliterator: CONCURRENT DISTINCT IMMUTABLE NONNULL ORDERED SIZED SORTED SUBSIZED characteristics estimateSize forEachRemaining
    getComparator getExactSizeIfKnown hasCharacteristics tryAdvance trySplit
  Collection < java.lang.Iterable: add addAll clear contains containsAll isEmpty parallelStream remove removeAll removeIf retainAll size
    stream toArray
  List < Collection: addFirst addLast copyOf get getFirst getLast indexOf lastIndexOf listIterator of removeFirst removeLast replaceAll
    reversed set sort subList
  Set < Collection: copyOf of
  SortedSet < Set: addFirst addLast comparator first getFirst getLast headSet last removeFirst removeLast reversed subSet tailSet
  NavigableSet < SortedSet: ceiling descendingIterator descendingSet floor higher lower pollFirst pollLast
  Queue < Collection: element offer peek poll
  Deque < Queue: addFirst addLast descendingIterator getFirst getLast offerFirst offerLast peekFirst peekLast pollFirst pollLast pop push
    removeFirst removeFirstOccurrence removeLast removeLastOccurrence reversed
  Map: clear compute computeIfAbsent computeIfPresent containsKey containsValue copyOf entry entrySet forEach get getOrDefault isEmpty
    keySet merge of ofEntries put putAll putIfAbsent remove replace replaceAll size values
  Map.Entry: comparingByKey comparingByValue copyOf getKey getValue setValue
  AbstractMap.SimpleEntry AbstractMap.SimpleImmutableEntry < java.util.Map.Entry:
  SortedMap < Map: comparator firstEntry firstKey headMap lastEntry lastKey pollFirstEntry pollLastEntry putFirst putLast reversed
    sequencedEntrySet sequencedKeySet sequencedValues subMap tailMap
  NavigableMap < SortedMap: ceilingEntry ceilingKey descendingKeySet descendingMap firstEntry floorEntry floorKey higherEntry higherKey
    lastEntry lowerEntry lowerKey navigableKeySet pollFirstEntry pollLastEntry
  AbstractCollection < Collection:
  AbstractList < AbstractCollection List: modCount removeRange
  AbstractSequentialList < AbstractList:
  AbstractSet < AbstractCollection Set:
  AbstractMap < Map:
  AbstractQueue < AbstractCollection Queue:
  ArrayList < AbstractList List: ensureCapacity trimToSize
  LinkedList < AbstractSequentialList List Deque:
  ArrayDeque < AbstractCollection Deque:
  PriorityQueue < AbstractQueue: comparator
  Vector < AbstractList List: addElement capacity capacityIncrement copyInto elementAt elementCount elementData elements ensureCapacity
    firstElement insertElementAt lastElement removeAllElements removeElement removeElementAt setElementAt setSize trimToSize
  Stack < Vector: empty peek pop push search
  HashMap < AbstractMap Map: newHashMap
  LinkedHashMap < HashMap Map: firstEntry lastEntry newLinkedHashMap pollFirstEntry pollLastEntry putFirst putLast removeEldestEntry
    reversed sequencedEntrySet sequencedKeySet sequencedValues
  TreeMap < AbstractMap NavigableMap:
  IdentityHashMap < AbstractMap Map:
  WeakHashMap < AbstractMap Map: newWeakHashMap
  EnumMap < AbstractMap:
  Hashtable < Dictionary Map: contains rehash
  Properties < Hashtable: defaults getProperty list load loadFromXML propertyNames save setProperty store storeToXML stringPropertyNames
  HashSet < AbstractSet Set: newHashSet
  LinkedHashSet < HashSet Set: addFirst addLast getFirst getLast newLinkedHashSet removeFirst removeLast reversed
  TreeSet < AbstractSet NavigableSet:
  BitSet: and andNot cardinality clear flip get intersects isEmpty length nextClearBit nextSetBit or previousClearBit previousSetBit set
    size stream toByteArray toLongArray valueOf xor
  Dictionary: elements get isEmpty keys put remove size
  EventListener RandomAccess:
  EventObject: getSource source
  Random < java.util.random.RandomGenerator: from next setSeed
  TimerTask < java.lang.Runnable: cancel scheduledExecutionTime
  ResourceBundle: clearCache containsKey getBaseBundleName getBundle getKeys getLocale getObject getString getStringArray handleGetObject
    handleKeySet keySet parent setParent
  ListResourceBundle < ResourceBundle: getContents
  Formattable: formatTo
  Observable: addObserver clearChanged countObservers deleteObserver deleteObservers hasChanged notifyObservers setChanged
  Observer: update
  NoSuchElementException ConcurrentModificationException EmptyStackException < java.lang.RuntimeException:
  MissingResourceException < java.lang.RuntimeException: getClassName getKey
  Date < java.lang.Comparable: UTC after before from getDate getDay getHours getMinutes getMonth getSeconds getTime getTimezoneOffset
    getYear parse setDate setHours setMinutes setMonth setSeconds setTime setYear toGMTString toInstant toLocaleString
java.util.concurrent
  Callable: call
  Executor: execute
  ExecutorService < Executor: awaitTermination close invokeAll invokeAny isShutdown isTerminated shutdown shutdownNow submit
  AbstractExecutorService < ExecutorService: newTaskFor
  ScheduledExecutorService < ExecutorService: schedule scheduleAtFixedRate scheduleWithFixedDelay
  ThreadFactory: newThread
  Future: cancel exceptionNow get isCancelled isDone resultNow state
  RunnableFuture < java.lang.Runnable Future:
  ScheduledFuture < Delayed Future:
  Delayed < java.lang.Comparable: getDelay
  FutureTask < RunnableFuture: done runAndReset set setException
  ThreadPoolExecutor < AbstractExecutorService: afterExecute allowCoreThreadTimeOut allowsCoreThreadTimeOut beforeExecute getActiveCount
    getCompletedTaskCount getCorePoolSize getKeepAliveTime getLargestPoolSize getMaximumPoolSize getPoolSize getQueue
    getRejectedExecutionHandler getTaskCount getThreadFactory isTerminating prestartAllCoreThreads prestartCoreThread purge remove
    setCorePoolSize setKeepAliveTime setMaximumPoolSize setRejectedExecutionHandler setThreadFactory terminated
  ScheduledThreadPoolExecutor < ThreadPoolExecutor ScheduledExecutorService: decorateTask
    getContinueExistingPeriodicTasksAfterShutdownPolicy getExecuteExistingDelayedTasksAfterShutdownPolicy getRemoveOnCancelPolicy
    setContinueExistingPeriodicTasksAfterShutdownPolicy setExecuteExistingDelayedTasksAfterShutdownPolicy setRemoveOnCancelPolicy
  RejectedExecutionHandler: rejectedExecution
  ConcurrentMap < java.util.Map:
  ConcurrentHashMap < java.util.AbstractMap ConcurrentMap: contains elements forEachEntry forEachKey forEachValue keys mappingCount
    newKeySet reduce reduceEntries reduceEntriesToDouble reduceEntriesToInt reduceEntriesToLong reduceKeys reduceKeysToDouble
    reduceKeysToInt reduceKeysToLong reduceToDouble reduceToInt reduceToLong reduceValues reduceValuesToDouble reduceValuesToInt
    reduceValuesToLong search searchEntries searchKeys searchValues
  BlockingQueue < java.util.Queue: drainTo put remainingCapacity take
  CompletionStage: acceptEither acceptEitherAsync applyToEither applyToEitherAsync exceptionally exceptionallyAsync exceptionallyCompose
    exceptionallyComposeAsync handle handleAsync runAfterBoth runAfterBothAsync runAfterEither runAfterEitherAsync thenAccept
    thenAcceptAsync thenAcceptBoth thenAcceptBothAsync thenApply thenApplyAsync thenCombine thenCombineAsync thenCompose thenComposeAsync
    thenRun thenRunAsync toCompletableFuture whenComplete whenCompleteAsync
  CompletableFuture < Future CompletionStage: allOf anyOf complete completeAsync completeExceptionally completeOnTimeout completedFuture
    completedStage copy defaultExecutor delayedExecutor failedFuture failedStage getNow getNumberOfDependents isCompletedExceptionally join
    minimalCompletionStage newIncompleteFuture obtrudeException obtrudeValue orTimeout runAsync supplyAsync
  ForkJoinTask < Future: adapt adaptInterruptible compareAndSetForkJoinTaskTag complete completeExceptionally exec fork getException
    getForkJoinTaskTag getPool getQueuedTaskCount getRawResult getSurplusQueuedTaskCount helpQuiesce inForkJoinPool invoke invokeAll
    isCompletedAbnormally isCompletedNormally join peekNextLocalTask pollNextLocalTask pollSubmission pollTask quietlyComplete quietlyInvoke
    quietlyJoin quietlyJoinUninterruptibly reinitialize setForkJoinTaskTag setRawResult tryUnfork
  RecursiveTask RecursiveAction < ForkJoinTask: compute
  ExecutionException TimeoutException < java.lang.Exception:
  CancellationException < java.lang.IllegalStateException:
java.util.concurrent.atomic
  AtomicInteger AtomicLong < java.lang.Number: accumulateAndGet addAndGet compareAndExchange compareAndExchangeAcquire
    compareAndExchangeRelease compareAndSet decrementAndGet get getAcquire getAndAccumulate getAndAdd getAndDecrement getAndIncrement
    getAndSet getAndUpdate getOpaque getPlain incrementAndGet lazySet set setOpaque setPlain setRelease updateAndGet weakCompareAndSet
    weakCompareAndSetAcquire weakCompareAndSetPlain weakCompareAndSetRelease weakCompareAndSetVolatile
  AtomicBoolean: compareAndExchange compareAndExchangeAcquire compareAndExchangeRelease compareAndSet get getAcquire getAndSet getOpaque
    getPlain lazySet set setOpaque setPlain setRelease weakCompareAndSet weakCompareAndSetAcquire weakCompareAndSetPlain
    weakCompareAndSetRelease weakCompareAndSetVolatile
  AtomicReference: accumulateAndGet compareAndExchange compareAndExchangeAcquire compareAndExchangeRelease compareAndSet get getAcquire
    getAndAccumulate getAndSet getAndUpdate getOpaque getPlain lazySet set setOpaque setPlain setRelease updateAndGet weakCompareAndSet
    weakCompareAndSetAcquire weakCompareAndSetPlain weakCompareAndSetRelease weakCompareAndSetVolatile
java.util.concurrent.locks
  Lock: lock lockInterruptibly newCondition tryLock unlock
  ReadWriteLock: readLock writeLock
  Condition: await awaitNanos awaitUninterruptibly awaitUntil signal signalAll
  ReentrantLock < Lock: getHoldCount getOwner getQueueLength getQueuedThreads getWaitQueueLength getWaitingThreads hasQueuedThread
    hasQueuedThreads hasWaiters isFair isHeldByCurrentThread isLocked
java.util.function
  BiConsumer Consumer DoubleConsumer IntConsumer LongConsumer: accept andThen
  BiFunction: andThen apply
  BiPredicate DoublePredicate IntPredicate LongPredicate: and negate or test
  BinaryOperator < BiFunction: maxBy minBy
  BooleanSupplier: getAsBoolean
  DoubleBinaryOperator ToDoubleFunction: applyAsDouble
  DoubleFunction IntFunction LongFunction: apply
  DoubleSupplier: getAsDouble
  DoubleUnaryOperator: andThen applyAsDouble compose identity
  Function: andThen apply compose identity
  IntBinaryOperator ToIntFunction ToIntBiFunction: applyAsInt
  IntSupplier: getAsInt
  IntUnaryOperator: andThen applyAsInt compose identity
  LongSupplier: getAsLong
  LongUnaryOperator: andThen applyAsLong compose identity
  Predicate: and isEqual negate not or test
  Supplier: get
  ToLongFunction: applyAsLong
  UnaryOperator < Function:
java.util.logging
  Handler: close flush getEncoding getErrorManager getFilter getFormatter getLevel isLoggable publish reportError setEncoding
    setErrorManager setFilter setFormatter setLevel
  StreamHandler < Handler: setOutputStream
  Formatter: format formatMessage getHead getTail
  Filter: isLoggable
java.util.random
  RandomGenerator: doubles equiDoubles getDefault ints isDeprecated longs nextBoolean nextBytes nextDouble nextExponential nextFloat
    nextGaussian nextInt nextLong of
java.util.regex
  MatchResult: end group groupCount hasMatch namedGroups start
`);

/** A package begins a paragraph. Each row names types that bring the same: their names, `<` and what they are built on, a colon, members. */
function read(table: string): ReadonlyMap<string, Row> {
  const found = new Map<string, Row>();
  const names = (text: string): string[] => text.split(/\s+/).filter(Boolean);
  for (const paragraph of table.trim().split(/\n(?! )/)) {
    const [home = "", ...rows] = paragraph.split(/\n {2}(?! )/);
    for (const row of rows) {
      const [head = "", members = ""] = row.split(":");
      const [types = "", above = ""] = head.split("<");
      const full = (name: string): string => (/^\p{Lu}/u.test(name) ? `${home}.${name}` : name);
      for (const type of names(types))
        found.set(full(type), { above: names(above).map(full), members: new Set(names(members)) });
    }
  }
  return found;
}
