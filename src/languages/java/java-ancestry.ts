// Lists what the public types of Java's own library are built on, as Java 17 has them, plus what came in 21. Errors and exceptions are in
// java-fits.ts. Left out are what nearly everything is (`Object`, `Comparable`, `Serializable`) and packages that are rarely named in
// signatures.

/** Everything that the type is built on, by simple name; undefined for a type that is not listed. */
export function libraryAncestors(fullName: string): ReadonlySet<string> | undefined {
  return ancestors.get(fullName);
}

const ancestors = read(`
java.io:
  DataInput DataOutput Externalizable File FileDescriptor FileFilter FilenameFilter Flushable ObjectInputFilter ObjectInputValidation
    ObjectStreamClass ObjectStreamConstants ObjectStreamField Serializable StreamTokenizer <
  BufferedWriter CharArrayWriter FilterWriter OutputStreamWriter PipedWriter PrintWriter StringWriter < Appendable AutoCloseable Closeable
    Flushable Writer
  BufferedReader CharArrayReader FilterReader InputStreamReader PipedReader StringReader < AutoCloseable Closeable Readable Reader
  ByteArrayInputStream FileInputStream FilterInputStream PipedInputStream SequenceInputStream StringBufferInputStream < AutoCloseable
    Closeable InputStream
  ByteArrayOutputStream FileOutputStream FilterOutputStream PipedOutputStream < AutoCloseable Closeable Flushable OutputStream
  BufferedInputStream LineNumberInputStream PushbackInputStream < AutoCloseable Closeable FilterInputStream InputStream
  BufferedOutputStream < AutoCloseable Closeable FilterOutputStream Flushable OutputStream
  Closeable < AutoCloseable
  Console < Flushable
  DataInputStream < AutoCloseable Closeable DataInput FilterInputStream InputStream
  DataOutputStream < AutoCloseable Closeable DataOutput FilterOutputStream Flushable OutputStream
  FileReader < AutoCloseable Closeable InputStreamReader Readable Reader
  FileWriter < Appendable AutoCloseable Closeable Flushable OutputStreamWriter Writer
  InputStream < AutoCloseable Closeable
  LineNumberReader < AutoCloseable BufferedReader Closeable Readable Reader
  ObjectInput < AutoCloseable DataInput
  ObjectInputStream < AutoCloseable Closeable DataInput InputStream ObjectInput ObjectStreamConstants
  ObjectOutput < AutoCloseable DataOutput
  ObjectOutputStream < AutoCloseable Closeable DataOutput Flushable ObjectOutput ObjectStreamConstants OutputStream
  OutputStream < AutoCloseable Closeable Flushable
  PrintStream < Appendable AutoCloseable Closeable FilterOutputStream Flushable OutputStream
  PushbackReader < AutoCloseable Closeable FilterReader Readable Reader
  RandomAccessFile < AutoCloseable Closeable DataInput DataOutput
  Reader < AutoCloseable Closeable Readable
  Writer < Appendable AutoCloseable Closeable Flushable
java.lang:
  Appendable AutoCloseable Boolean Byte CharSequence Character ClassLoader ClassValue Cloneable Comparable Compiler Double Enum Float
    Integer Iterable Long Math ModuleLayer Number Object Process ProcessBuilder ProcessHandle Readable Record Runnable Runtime SecurityManager
    Short StackTraceElement StackWalker StrictMath System ThreadLocal Void <
  Module Package < AnnotatedElement
  StringBuffer StringBuilder < Appendable CharSequence
  Class < AnnotatedElement GenericDeclaration OfField Type TypeDescriptor
  InheritableThreadLocal < ThreadLocal
  String < CharSequence
  Thread < Runnable
java.lang.reflect:
  AnnotatedElement Array InvocationHandler Member Modifier Proxy Type <
  AccessibleObject AnnotatedType GenericDeclaration Parameter RecordComponent < AnnotatedElement
  AnnotatedArrayType AnnotatedParameterizedType AnnotatedTypeVariable AnnotatedWildcardType < AnnotatedElement AnnotatedType
  GenericArrayType ParameterizedType WildcardType < Type
  Constructor Method < AccessibleObject AnnotatedElement Executable GenericDeclaration Member
  Executable < AccessibleObject AnnotatedElement GenericDeclaration Member
  Field < AccessibleObject AnnotatedElement Member
  TypeVariable < AnnotatedElement Type
java.nio.charset:
  Charset CharsetDecoder CharsetEncoder CoderResult CodingErrorAction StandardCharsets <
java.nio.file:
  CopyOption FileStore FileSystems FileVisitor Files OpenOption PathMatcher Paths StandardWatchEventKinds WatchEvent WatchKey Watchable <
  AccessMode FileVisitOption FileVisitResult < Enum
  FileSystem WatchService < AutoCloseable Closeable
  DirectoryStream < AutoCloseable Closeable Iterable
  LinkOption < CopyOption Enum OpenOption
  Path < Iterable Watchable
  SecureDirectoryStream < AutoCloseable Closeable DirectoryStream Iterable
  SimpleFileVisitor < FileVisitor
  StandardCopyOption < CopyOption Enum
  StandardOpenOption < Enum OpenOption
java.time:
  Instant LocalTime OffsetDateTime OffsetTime Year YearMonth < Temporal TemporalAccessor TemporalAdjuster
  DayOfWeek Month < Enum TemporalAccessor TemporalAdjuster
  InstantSource ZoneId <
  Clock < InstantSource
  Duration < TemporalAmount
  LocalDate < ChronoLocalDate Temporal TemporalAccessor TemporalAdjuster
  LocalDateTime < ChronoLocalDateTime Temporal TemporalAccessor TemporalAdjuster
  MonthDay < TemporalAccessor TemporalAdjuster
  Period < ChronoPeriod TemporalAmount
  ZoneOffset < TemporalAccessor TemporalAdjuster ZoneId
  ZonedDateTime < ChronoZonedDateTime Temporal TemporalAccessor
java.util:
  Arrays Base64 BitSet Calendar Collections Comparator Currency Date Dictionary Enumeration EventListener EventObject Formattable
    FormattableFlags HexFormat Iterator Locale Map Objects Observable Observer Optional OptionalDouble OptionalInt OptionalLong RandomAccess
    ResourceBundle Spliterator Spliterators StringJoiner TimeZone Timer UUID <
  EnumMap HashMap IdentityHashMap WeakHashMap < AbstractMap Map
  AbstractCollection Queue Set < Collection Iterable
  ArrayList Vector < AbstractCollection AbstractList Collection Iterable List RandomAccess SequencedCollection
  Collection ServiceLoader < Iterable
  EnumSet HashSet < AbstractCollection AbstractSet Collection Iterable Set
  ListIterator PrimitiveIterator < Iterator
  ListResourceBundle PropertyResourceBundle < ResourceBundle
  AbstractList < AbstractCollection Collection Iterable List SequencedCollection
  AbstractMap < Map
  AbstractQueue < AbstractCollection Collection Iterable Queue
  AbstractSequentialList < AbstractCollection AbstractList Collection Iterable List SequencedCollection
  AbstractSet < AbstractCollection Collection Iterable Set
  ArrayDeque < AbstractCollection Collection Deque Iterable Queue SequencedCollection
  Deque < Collection Iterable Queue SequencedCollection
  DoubleSummaryStatistics < DoubleConsumer
  EventListenerProxy < EventListener
  Formatter < AutoCloseable Closeable Flushable
  GregorianCalendar < Calendar
  Hashtable < Dictionary Map
  IntSummaryStatistics < IntConsumer
  LinkedHashMap < AbstractMap HashMap Map SequencedMap
  LinkedHashSet < AbstractCollection AbstractSet Collection HashSet Iterable SequencedCollection SequencedSet Set
  LinkedList < AbstractCollection AbstractList AbstractSequentialList Collection Deque Iterable List Queue SequencedCollection
  List < Collection Iterable SequencedCollection
  LongSummaryStatistics < IntConsumer LongConsumer
  NavigableMap < Map SequencedMap SortedMap
  NavigableSet < Collection Iterable SequencedCollection SequencedSet Set SortedSet
  PriorityQueue < AbstractCollection AbstractQueue Collection Iterable Queue
  Properties < Dictionary Hashtable Map
  Random < RandomGenerator
  Scanner < AutoCloseable Closeable Iterator
  SimpleTimeZone < TimeZone
  SortedMap < Map SequencedMap
  SortedSet < Collection Iterable SequencedCollection SequencedSet Set
  Stack < AbstractCollection AbstractList Collection Iterable List RandomAccess SequencedCollection Vector
  StringTokenizer < Enumeration
  TimerTask < Runnable
  TreeMap < AbstractMap Map NavigableMap SequencedMap SortedMap
  TreeSet < AbstractCollection AbstractSet Collection Iterable NavigableSet SequencedCollection SequencedSet Set SortedSet
java.util.concurrent:
  Callable CompletionService CompletionStage CountDownLatch CyclicBarrier Delayed Exchanger Executor Executors Flow Future Phaser
    RejectedExecutionHandler Semaphore ThreadFactory <
  ArrayBlockingQueue DelayQueue LinkedBlockingQueue PriorityBlockingQueue SynchronousQueue < AbstractCollection AbstractQueue BlockingQueue
    Collection Iterable Queue
  CountedCompleter RecursiveAction RecursiveTask < ForkJoinTask Future
  AbstractExecutorService ScheduledExecutorService < Executor ExecutorService
  ForkJoinPool ThreadPoolExecutor < AbstractExecutorService Executor ExecutorService
  BlockingDeque < BlockingQueue Collection Deque Iterable Queue SequencedCollection
  BlockingQueue < Collection Iterable Queue
  CompletableFuture < CompletionStage Future
  ConcurrentHashMap < AbstractMap ConcurrentMap Map
  ConcurrentLinkedDeque < AbstractCollection Collection Deque Iterable Queue SequencedCollection
  ConcurrentLinkedQueue < AbstractCollection AbstractQueue Collection Iterable Queue
  ConcurrentMap < Map
  ConcurrentNavigableMap < ConcurrentMap Map NavigableMap SequencedMap SortedMap
  ConcurrentSkipListMap < AbstractMap ConcurrentMap ConcurrentNavigableMap Map NavigableMap SequencedMap SortedMap
  ConcurrentSkipListSet < AbstractCollection AbstractSet Collection Iterable NavigableSet SequencedCollection SequencedSet Set SortedSet
  CopyOnWriteArrayList < Collection Iterable List RandomAccess SequencedCollection
  CopyOnWriteArraySet < AbstractCollection AbstractSet Collection Iterable Set
  ExecutorCompletionService < CompletionService
  ExecutorService < Executor
  ForkJoinTask < Future
  ForkJoinWorkerThread < Runnable Thread
  FutureTask < Future Runnable RunnableFuture
  LinkedBlockingDeque < AbstractCollection AbstractQueue BlockingDeque BlockingQueue Collection Deque Iterable Queue SequencedCollection
  LinkedTransferQueue < AbstractCollection AbstractQueue BlockingQueue Collection Iterable Queue TransferQueue
  RunnableFuture < Future Runnable
  RunnableScheduledFuture < Delayed Future Runnable RunnableFuture ScheduledFuture
  ScheduledFuture < Delayed Future
  ScheduledThreadPoolExecutor < AbstractExecutorService Executor ExecutorService ScheduledExecutorService ThreadPoolExecutor
  ThreadLocalRandom < Random RandomGenerator
  TimeUnit < Enum
  TransferQueue < BlockingQueue Collection Iterable Queue
java.util.function:
  BiConsumer BiFunction BiPredicate BooleanSupplier Consumer DoubleBinaryOperator DoubleConsumer DoubleFunction DoublePredicate
    DoubleSupplier DoubleToIntFunction DoubleToLongFunction DoubleUnaryOperator Function IntBinaryOperator IntConsumer IntFunction
    IntPredicate IntSupplier IntToDoubleFunction IntToLongFunction IntUnaryOperator LongBinaryOperator LongConsumer LongFunction LongPredicate
    LongSupplier LongToDoubleFunction LongToIntFunction LongUnaryOperator ObjDoubleConsumer ObjIntConsumer ObjLongConsumer Predicate Supplier
    ToDoubleBiFunction ToDoubleFunction ToIntBiFunction ToIntFunction ToLongBiFunction ToLongFunction <
  BinaryOperator < BiFunction
  UnaryOperator < Function
java.util.regex:
  MatchResult Pattern <
  Matcher < MatchResult
java.util.stream:
  DoubleStream IntStream LongStream Stream < AutoCloseable BaseStream
  Collector Collectors StreamSupport <
  BaseStream < AutoCloseable
javax.lang.model.element:
  Parameterizable QualifiedNameable RecordComponentElement TypeParameterElement VariableElement < AnnotatedConstruct Element
  AnnotationMirror AnnotationValue AnnotationValueVisitor ElementVisitor <
  ElementKind Modifier NestingKind < Enum
  ModuleElement PackageElement < AnnotatedConstruct Element QualifiedNameable
  Element < AnnotatedConstruct
  ExecutableElement < AnnotatedConstruct Element Parameterizable
  Name < CharSequence
  TypeElement < AnnotatedConstruct Element Parameterizable QualifiedNameable
javax.lang.model.type:
  ExecutableType IntersectionType NoType PrimitiveType ReferenceType UnionType WildcardType < AnnotatedConstruct TypeMirror
  ArrayType DeclaredType NullType TypeVariable < AnnotatedConstruct ReferenceType TypeMirror
  ErrorType < AnnotatedConstruct DeclaredType ReferenceType TypeMirror
  TypeKind < Enum
  TypeMirror < AnnotatedConstruct
  TypeVisitor <
`);

/** A package begins a paragraph. Each row names types that are built on the same: their names, `<`, and what they are built on. */
function read(table: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const paragraph of table.trim().split(/\n(?! )/)) {
    const [home = "", ...rows] = paragraph.split(/\n {2}(?! )/);
    for (const row of rows) {
      const [types = "", above = ""] = row.split("<");
      const built = new Set(above.split(/\s+/).filter(Boolean));
      for (const type of types.split(/\s+/).filter(Boolean)) found.set(`${home.slice(0, -1)}.${type}`, built);
    }
  }
  return found;
}
