// Public types of the packages of Java's own library that sources import whole (`import java.util.*`), as Java 17 has them with what came in
// 21 added. What is not here was not in such a package, so a name of the project that is gone does not come from there.

import type { SourceSummary } from "../compiled/facts.ts";

/** Tells whether the package has such a type. Undefined for a package that is not listed. */
export function libraryHas(packageName: string, name: string): boolean | undefined {
  return packages.get(packageName)?.has(name);
}

/** The full name of a type that comes from Java's own library, by its import, or by being in a package that is imported whole. */
export function libraryName({ imports }: SourceSummary, names: readonly string[]): string | undefined {
  const [first = "", ...rest] = names;
  const home = imports.find((one) => one.name === first)?.path;
  if (home !== undefined || rest.length > 0) {
    const full = [...(home ?? [first]), ...rest];
    return /^javax?$/.test(full[0] ?? "") ? full.join(".") : undefined;
  }
  const whole = imports
    .filter((one) => one.name === "*" && !one.words.includes("static"))
    .map(({ path }) => path.join("."));
  const offers = whole.map((one) => ({ one, has: libraryHas(one, first) }));
  // A package that is not listed may have a type of that name too.
  if (libraryHas("java.lang", first) === true)
    return offers.some(({ has }) => has === true) ? undefined : `java.lang.${first}`;
  const [only, ...others] = offers.filter(({ has }) => has !== false);
  return only?.has === true && others.length === 0 ? `${only.one}.${first}` : undefined;
}

const packages = read(`
java.lang: MatchException ScopedValue StringTemplate WrongThreadException AbstractMethodError Appendable ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException
  AssertionError AutoCloseable Boolean BootstrapMethodError Byte CharSequence Character Class ClassCastException
  ClassCircularityError ClassFormatError ClassLoader ClassNotFoundException ClassValue CloneNotSupportedException
  Cloneable Comparable Compiler Deprecated Double Enum EnumConstantNotPresentException Error Exception
  ExceptionInInitializerError Float FunctionalInterface IllegalAccessError IllegalAccessException
  IllegalArgumentException IllegalCallerException IllegalMonitorStateException IllegalStateException
  IllegalThreadStateException IncompatibleClassChangeError IndexOutOfBoundsException InheritableThreadLocal
  InstantiationError InstantiationException Integer InternalError InterruptedException Iterable
  LayerInstantiationException LinkageError Long Math Module ModuleLayer NegativeArraySizeException
  NoClassDefFoundError NoSuchFieldError NoSuchFieldException NoSuchMethodError NoSuchMethodException
  NullPointerException Number NumberFormatException Object OutOfMemoryError Override Package Process ProcessBuilder
  ProcessHandle Readable Record ReflectiveOperationException Runnable Runtime RuntimeException RuntimePermission
  SafeVarargs SecurityException SecurityManager Short StackOverflowError StackTraceElement StackWalker StrictMath
  String StringBuffer StringBuilder StringIndexOutOfBoundsException SuppressWarnings System Thread ThreadDeath
  ThreadGroup ThreadLocal Throwable TypeNotPresentException UnknownError UnsatisfiedLinkError
  UnsupportedClassVersionError UnsupportedOperationException VerifyError VirtualMachineError Void
java.util: SequencedCollection SequencedMap SequencedSet AbstractCollection AbstractList AbstractMap AbstractQueue AbstractSequentialList AbstractSet ArrayDeque
  ArrayList Arrays Base64 BitSet Calendar Collection Collections Comparator ConcurrentModificationException Currency
  Date Deque Dictionary DoubleSummaryStatistics DuplicateFormatFlagsException EmptyStackException EnumMap EnumSet
  Enumeration EventListener EventListenerProxy EventObject FormatFlagsConversionMismatchException Formattable
  FormattableFlags Formatter FormatterClosedException GregorianCalendar HashMap HashSet Hashtable HexFormat
  IdentityHashMap IllegalFormatCodePointException IllegalFormatConversionException IllegalFormatException
  IllegalFormatFlagsException IllegalFormatPrecisionException IllegalFormatWidthException IllformedLocaleException
  InputMismatchException IntSummaryStatistics InvalidPropertiesFormatException Iterator LinkedHashMap LinkedHashSet
  LinkedList List ListIterator ListResourceBundle Locale LongSummaryStatistics Map MissingFormatArgumentException
  MissingFormatWidthException MissingResourceException NavigableMap NavigableSet NoSuchElementException Objects
  Observable Observer Optional OptionalDouble OptionalInt OptionalLong PrimitiveIterator PriorityQueue Properties
  PropertyPermission PropertyResourceBundle Queue Random RandomAccess ResourceBundle Scanner ServiceConfigurationError
  ServiceLoader Set SimpleTimeZone SortedMap SortedSet Spliterator Spliterators SplittableRandom Stack StringJoiner
  StringTokenizer TimeZone Timer TimerTask TooManyListenersException TreeMap TreeSet UUID
  UnknownFormatConversionException UnknownFormatFlagsException Vector WeakHashMap
java.io: BufferedInputStream BufferedOutputStream BufferedReader BufferedWriter ByteArrayInputStream
  ByteArrayOutputStream CharArrayReader CharArrayWriter CharConversionException Closeable Console DataInput
  DataInputStream DataOutput DataOutputStream EOFException Externalizable File FileDescriptor FileFilter
  FileInputStream FileNotFoundException FileOutputStream FilePermission FileReader FileWriter FilenameFilter
  FilterInputStream FilterOutputStream FilterReader FilterWriter Flushable IOError IOException InputStream
  InputStreamReader InterruptedIOException InvalidClassException InvalidObjectException LineNumberInputStream
  LineNumberReader NotActiveException NotSerializableException ObjectInput ObjectInputFilter ObjectInputStream
  ObjectInputValidation ObjectOutput ObjectOutputStream ObjectStreamClass ObjectStreamConstants ObjectStreamException
  ObjectStreamField OptionalDataException OutputStream OutputStreamWriter PipedInputStream PipedOutputStream
  PipedReader PipedWriter PrintStream PrintWriter PushbackInputStream PushbackReader RandomAccessFile Reader
  SequenceInputStream Serial Serializable SerializablePermission StreamCorruptedException StreamTokenizer
  StringBufferInputStream StringReader StringWriter SyncFailedException UTFDataFormatException UncheckedIOException
  UnsupportedEncodingException WriteAbortedException Writer
java.net: Authenticator BindException CacheRequest CacheResponse ConnectException ContentHandler ContentHandlerFactory
  CookieHandler CookieManager CookiePolicy CookieStore DatagramPacket DatagramSocket DatagramSocketImpl
  DatagramSocketImplFactory FileNameMap HttpCookie HttpRetryException HttpURLConnection IDN Inet4Address Inet6Address
  InetAddress InetSocketAddress InterfaceAddress JarURLConnection MalformedURLException MulticastSocket NetPermission
  NetworkInterface NoRouteToHostException PasswordAuthentication PortUnreachableException ProtocolException
  ProtocolFamily Proxy ProxySelector ResponseCache SecureCacheResponse ServerSocket Socket SocketAddress
  SocketException SocketImpl SocketImplFactory SocketOption SocketOptions SocketPermission SocketTimeoutException
  StandardProtocolFamily StandardSocketOptions URI URISyntaxException URL URLClassLoader URLConnection URLDecoder
  URLEncoder URLPermission URLStreamHandler URLStreamHandlerFactory UnixDomainSocketAddress UnknownHostException
  UnknownServiceException
java.nio: Buffer BufferOverflowException BufferUnderflowException ByteBuffer ByteOrder CharBuffer DoubleBuffer
  FloatBuffer IntBuffer InvalidMarkException LongBuffer MappedByteBuffer ReadOnlyBufferException ShortBuffer
java.nio.file: AccessDeniedException AccessMode AtomicMoveNotSupportedException ClosedDirectoryStreamException
  ClosedFileSystemException ClosedWatchServiceException CopyOption DirectoryIteratorException
  DirectoryNotEmptyException DirectoryStream FileAlreadyExistsException FileStore FileSystem
  FileSystemAlreadyExistsException FileSystemException FileSystemLoopException FileSystemNotFoundException FileSystems
  FileVisitOption FileVisitResult FileVisitor Files InvalidPathException LinkOption LinkPermission NoSuchFileException
  NotDirectoryException NotLinkException OpenOption Path PathMatcher Paths ProviderMismatchException
  ProviderNotFoundException ReadOnlyFileSystemException SecureDirectoryStream SimpleFileVisitor StandardCopyOption
  StandardOpenOption StandardWatchEventKinds WatchEvent WatchKey WatchService Watchable
java.nio.charset: CharacterCodingException Charset CharsetDecoder CharsetEncoder CoderMalfunctionError CoderResult
  CodingErrorAction IllegalCharsetNameException MalformedInputException StandardCharsets UnmappableCharacterException
  UnsupportedCharsetException
java.util.function: BiConsumer BiFunction BiPredicate BinaryOperator BooleanSupplier Consumer DoubleBinaryOperator
  DoubleConsumer DoubleFunction DoublePredicate DoubleSupplier DoubleToIntFunction DoubleToLongFunction
  DoubleUnaryOperator Function IntBinaryOperator IntConsumer IntFunction IntPredicate IntSupplier IntToDoubleFunction
  IntToLongFunction IntUnaryOperator LongBinaryOperator LongConsumer LongFunction LongPredicate LongSupplier
  LongToDoubleFunction LongToIntFunction LongUnaryOperator ObjDoubleConsumer ObjIntConsumer ObjLongConsumer Predicate
  Supplier ToDoubleBiFunction ToDoubleFunction ToIntBiFunction ToIntFunction ToLongBiFunction ToLongFunction
  UnaryOperator
java.util.stream: BaseStream Collector Collectors DoubleStream IntStream LongStream Stream StreamSupport
java.util.concurrent: AbstractExecutorService ArrayBlockingQueue BlockingDeque BlockingQueue BrokenBarrierException
  Callable CancellationException CompletableFuture CompletionException CompletionService CompletionStage
  ConcurrentHashMap ConcurrentLinkedDeque ConcurrentLinkedQueue ConcurrentMap ConcurrentNavigableMap
  ConcurrentSkipListMap ConcurrentSkipListSet CopyOnWriteArrayList CopyOnWriteArraySet CountDownLatch CountedCompleter
  CyclicBarrier DelayQueue Delayed Exchanger ExecutionException Executor ExecutorCompletionService ExecutorService
  Executors Flow ForkJoinPool ForkJoinTask ForkJoinWorkerThread Future FutureTask LinkedBlockingDeque
  LinkedBlockingQueue LinkedTransferQueue Phaser PriorityBlockingQueue RecursiveAction RecursiveTask
  RejectedExecutionException RejectedExecutionHandler RunnableFuture RunnableScheduledFuture ScheduledExecutorService
  ScheduledFuture ScheduledThreadPoolExecutor Semaphore SubmissionPublisher SynchronousQueue ThreadFactory
  ThreadLocalRandom ThreadPoolExecutor TimeUnit TimeoutException TransferQueue
java.util.concurrent.atomic: AtomicBoolean AtomicInteger AtomicIntegerArray AtomicIntegerFieldUpdater AtomicLong
  AtomicLongArray AtomicLongFieldUpdater AtomicMarkableReference AtomicReference AtomicReferenceArray
  AtomicReferenceFieldUpdater AtomicStampedReference DoubleAccumulator DoubleAdder LongAccumulator LongAdder
java.util.concurrent.locks: AbstractOwnableSynchronizer AbstractQueuedLongSynchronizer AbstractQueuedSynchronizer
  Condition Lock LockSupport ReadWriteLock ReentrantLock ReentrantReadWriteLock StampedLock
java.util.regex: MatchResult Matcher Pattern PatternSyntaxException
java.time: Clock DateTimeException DayOfWeek Duration Instant InstantSource LocalDate LocalDateTime LocalTime Month
  MonthDay OffsetDateTime OffsetTime Period Year YearMonth ZoneId ZoneOffset ZonedDateTime
java.math: BigDecimal BigInteger MathContext RoundingMode
java.text: Annotation AttributedCharacterIterator AttributedString Bidi BreakIterator CharacterIterator ChoiceFormat
  CollationElementIterator CollationKey Collator CompactNumberFormat DateFormat DateFormatSymbols DecimalFormat
  DecimalFormatSymbols FieldPosition Format MessageFormat Normalizer NumberFormat ParseException ParsePosition
  RuleBasedCollator SimpleDateFormat StringCharacterIterator
java.lang.reflect: AccessibleObject AnnotatedArrayType AnnotatedElement AnnotatedParameterizedType AnnotatedType
  AnnotatedTypeVariable AnnotatedWildcardType Array Constructor Executable Field GenericArrayType GenericDeclaration
  GenericSignatureFormatError InaccessibleObjectException InvocationHandler InvocationTargetException
  MalformedParameterizedTypeException MalformedParametersException Member Method Modifier Parameter ParameterizedType
  Proxy RecordComponent ReflectPermission Type TypeVariable UndeclaredThrowableException WildcardType
java.lang.annotation: Annotation AnnotationFormatError AnnotationTypeMismatchException Documented ElementType
  IncompleteAnnotationException Inherited Native Repeatable Retention RetentionPolicy Target
java.lang.invoke: CallSite ConstantBootstraps ConstantCallSite LambdaConversionException LambdaMetafactory
  MethodHandle MethodHandleInfo MethodHandleProxies MethodHandles MethodType MutableCallSite SerializedLambda
  StringConcatException StringConcatFactory SwitchPoint TypeDescriptor VarHandle VolatileCallSite
  WrongMethodTypeException
java.security: AccessControlContext AccessControlException AccessController AlgorithmConstraints
  AlgorithmParameterGenerator AlgorithmParameterGeneratorSpi AlgorithmParameters AlgorithmParametersSpi AllPermission
  AuthProvider BasicPermission Certificate CodeSigner CodeSource CryptoPrimitive DigestException DigestInputStream
  DigestOutputStream DomainCombiner DomainLoadStoreParameter DrbgParameters GeneralSecurityException Guard
  GuardedObject Identity IdentityScope InvalidAlgorithmParameterException InvalidKeyException
  InvalidParameterException Key KeyException KeyFactory KeyFactorySpi KeyManagementException KeyPair KeyPairGenerator
  KeyPairGeneratorSpi KeyRep KeyStore KeyStoreException KeyStoreSpi MessageDigest MessageDigestSpi
  NoSuchAlgorithmException NoSuchProviderException PKCS12Attribute Permission PermissionCollection Permissions Policy
  PolicySpi Principal PrivateKey PrivilegedAction PrivilegedActionException PrivilegedExceptionAction ProtectionDomain
  Provider ProviderException PublicKey SecureClassLoader SecureRandom SecureRandomParameters SecureRandomSpi Security
  SecurityPermission Signature SignatureException SignatureSpi SignedObject Signer Timestamp URIParameter
  UnrecoverableEntryException UnrecoverableKeyException UnresolvedPermission
java.util.logging: ConsoleHandler ErrorManager FileHandler Filter Formatter Handler Level LogManager LogRecord Logger
  LoggingMXBean LoggingPermission MemoryHandler SimpleFormatter SocketHandler StreamHandler XMLFormatter
java.time.format: DateTimeFormatter DateTimeFormatterBuilder DateTimeParseException DecimalStyle FormatStyle
  ResolverStyle SignStyle TextStyle
java.nio.file.attribute: AclEntry AclEntryFlag AclEntryPermission AclEntryType AclFileAttributeView AttributeView
  BasicFileAttributeView BasicFileAttributes DosFileAttributeView DosFileAttributes FileAttribute FileAttributeView
  FileOwnerAttributeView FileStoreAttributeView FileTime GroupPrincipal PosixFileAttributeView PosixFileAttributes
  PosixFilePermission PosixFilePermissions UserDefinedFileAttributeView UserPrincipal UserPrincipalLookupService
  UserPrincipalNotFoundException
java.util.zip: Adler32 CRC32 CRC32C CheckedInputStream CheckedOutputStream Checksum DataFormatException Deflater
  DeflaterInputStream DeflaterOutputStream GZIPInputStream GZIPOutputStream Inflater InflaterInputStream
  InflaterOutputStream ZipEntry ZipError ZipException ZipFile ZipInputStream ZipOutputStream
`);

/** A package a paragraph, continued by indented lines: its name, a colon, its types. */
function read(table: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const row of table.trim().split(/\n(?! )/)) {
    const [name = "", types = ""] = row.split(":");
    found.set(name, new Set(types.trim().split(/\s+/)));
  }
  return found;
}
