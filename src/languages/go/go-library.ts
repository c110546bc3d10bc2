// The methods of those types of Go's library that people embed most. A member that is not found on a type of the project may still come
// from what it embeds, and for these types that can be told.

import type { SourceSummary } from "../compiled/facts.ts";

/** undefined when the embedded type is not one of them. */
export function methodsFromOutside(
  summary: SourceSummary | undefined,
  path: readonly string[],
): ReadonlySet<string> | undefined {
  if (path.length === 1) return path[0] === "error" ? new Set(["Error"]) : undefined;
  const [name = "", type = ""] = path;
  const home = summary?.imports.find((one) => one.name === name)?.path[0];
  const methods = home === undefined ? undefined : library[`${home}.${type}`];
  return methods === undefined ? undefined : new Set(methods.split(" "));
}

const library: Readonly<Record<string, string>> = {
  "sync.Mutex": "Lock Unlock TryLock",
  "sync.RWMutex": "Lock Unlock TryLock RLock RUnlock TryRLock RLocker",
  "sync.WaitGroup": "Add Done Wait Go",
  "sync.Once": "Do",
  "io.Reader": "Read",
  "io.Writer": "Write",
  "io.Closer": "Close",
  "io.ReadWriter": "Read Write",
  "io.ReadCloser": "Read Close",
  "io.WriteCloser": "Write Close",
  "io.ReadWriteCloser": "Read Write Close",
  "io.ReaderAt": "ReadAt",
  "io.Seeker": "Seek",
  "fmt.Stringer": "String",
  "sort.Interface": "Len Less Swap",
  "context.Context": "Deadline Done Err Value",
  "net/http.ResponseWriter": "Header Write WriteHeader",
  "net/http.Handler": "ServeHTTP",
  "net/http.RoundTripper": "RoundTrip",
  "net/http.Flusher": "Flush",
  "net/http.Hijacker": "Hijack",
  "net.Conn": "Read Write Close LocalAddr RemoteAddr SetDeadline SetReadDeadline SetWriteDeadline",
  "net.Listener": "Accept Close Addr",
  "net.Error": "Error Timeout Temporary",
  "strings.Builder": "Cap Grow Len Reset String Write WriteByte WriteRune WriteString",
  "bytes.Buffer":
    "Available AvailableBuffer Bytes Cap Grow Len Next Peek Read ReadByte ReadBytes ReadFrom ReadRune ReadString Reset String Truncate UnreadByte UnreadRune Write WriteByte WriteRune WriteString WriteTo",
};
