// Classes of the standard library that projects inherit from, with the attributes they bring (dunder names left out), as Python
// 3.11 has them. A base that is not here may bring anything.

/** By full name: `collections.abc.Mapping`. */
export const stdlibBases: ReadonlyMap<string, readonly string[]> = read(`
builtins.ArithmeticError builtins.AssertionError builtins.BaseException builtins.BufferError builtins.BytesWarning
  builtins.DeprecationWarning builtins.EOFError builtins.EncodingWarning builtins.Exception
  builtins.FloatingPointError builtins.FutureWarning builtins.GeneratorExit builtins.ImportWarning builtins.IndexError
  builtins.KeyError builtins.KeyboardInterrupt builtins.LookupError builtins.MemoryError builtins.NotImplementedError
  builtins.OverflowError builtins.PendingDeprecationWarning builtins.RecursionError builtins.ReferenceError
  builtins.ResourceWarning builtins.RuntimeError builtins.RuntimeWarning builtins.StopAsyncIteration
  builtins.SyntaxWarning builtins.SystemError builtins.TypeError builtins.UnicodeError builtins.UnicodeWarning
  builtins.UserWarning builtins.ValueError builtins.Warning builtins.ZeroDivisionError: add_note args with_traceback
builtins.AttributeError: add_note args name obj with_traceback
builtins.BaseExceptionGroup builtins.ExceptionGroup: add_note args derive exceptions message split subgroup
  with_traceback
builtins.BlockingIOError builtins.BrokenPipeError builtins.ChildProcessError builtins.ConnectionAbortedError
  builtins.ConnectionError builtins.ConnectionRefusedError builtins.ConnectionResetError builtins.FileExistsError
  builtins.FileNotFoundError builtins.InterruptedError builtins.IsADirectoryError builtins.NotADirectoryError
  builtins.OSError builtins.PermissionError builtins.ProcessLookupError builtins.TimeoutError: add_note args
  characters_written errno filename filename2 strerror with_traceback
builtins.ImportError builtins.ModuleNotFoundError: add_note args msg name path with_traceback
builtins.IndentationError builtins.SyntaxError builtins.TabError: add_note args end_lineno end_offset filename lineno
  msg offset print_file_and_line text with_traceback
builtins.NameError builtins.UnboundLocalError: add_note args name with_traceback
builtins.StopIteration: add_note args value with_traceback
builtins.SystemExit: add_note args code with_traceback
builtins.UnicodeDecodeError builtins.UnicodeEncodeError builtins.UnicodeTranslateError: add_note args encoding end
  object reason start with_traceback
builtins.dict: clear copy fromkeys get items keys pop popitem setdefault update values
builtins.list: append clear copy count extend index insert pop remove reverse sort
builtins.set: add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset
  issuperset pop remove symmetric_difference symmetric_difference_update union update
builtins.frozenset: copy difference intersection isdisjoint issubset issuperset symmetric_difference union
builtins.tuple collections.abc.Sequence collections.abc.ByteString: count index
builtins.str: capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha
  isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip
  maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines
  startswith strip swapcase title translate upper zfill
builtins.bytes: capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha isascii
  isdigit islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix
  replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper
  zfill
builtins.bytearray: append capitalize center clear copy count decode endswith expandtabs extend find fromhex hex index
  insert isalnum isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip maketrans partition
  pop remove removeprefix removesuffix replace reverse rfind rindex rjust rpartition rsplit rstrip split splitlines
  startswith strip swapcase title translate upper zfill
builtins.int: as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes
builtins.float: as_integer_ratio conjugate fromhex hex imag is_integer real
builtins.complex: conjugate imag real
builtins.type: mro
collections.abc.Awaitable collections.abc.AsyncIterable collections.abc.AsyncIterator collections.abc.Hashable
  collections.abc.Iterable collections.abc.Iterator collections.abc.Reversible collections.abc.Sized
  collections.abc.Container collections.abc.Callable collections.abc.Collection threading.local
  contextlib.AbstractContextManager contextlib.AbstractAsyncContextManager types.ModuleType types.SimpleNamespace
  abc.ABC numbers.Number:
collections.abc.Coroutine collections.abc.Generator: close send throw
collections.abc.AsyncGenerator: aclose asend athrow
collections.abc.Set: _from_iterable _hash isdisjoint
collections.abc.MutableSet: _from_iterable _hash add clear discard isdisjoint pop remove
collections.abc.Mapping: get items keys values
collections.abc.MutableMapping: clear get items keys pop popitem setdefault update values
collections.abc.MappingView collections.abc.ValuesView: _mapping
collections.abc.KeysView collections.abc.ItemsView: _from_iterable _hash _mapping isdisjoint
collections.abc.MutableSequence: append clear count extend index insert pop remove reverse
collections.OrderedDict: clear copy fromkeys get items keys move_to_end pop popitem setdefault update values
collections.defaultdict: clear copy default_factory fromkeys get items keys pop popitem setdefault update values
collections.Counter: _keep_positive clear copy elements fromkeys get items keys most_common pop popitem setdefault
  subtract total update values
collections.deque: append appendleft clear copy count extend extendleft index insert maxlen pop popleft remove reverse
  rotate
collections.ChainMap: clear copy fromkeys get items keys maps new_child parents pop popitem setdefault update values
collections.UserDict: clear copy data fromkeys get items keys pop popitem setdefault update values
collections.UserList: append clear copy count data extend index insert pop remove reverse sort
collections.UserString: capitalize casefold center count data encode endswith expandtabs find format format_map index
  isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join
  ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip
  split splitlines startswith strip swapcase title translate upper zfill
threading.Thread: _args _bootstrap _bootstrap_inner _daemonic _delete _ident _initialized _invoke_excepthook
  _is_stopped _kwargs _name _native_id _reset_internal_locks _set_ident _set_native_id _set_tstate_lock _started
  _stderr _stop _target _tstate_lock _wait_for_tstate_lock daemon getName ident isDaemon is_alive join name native_id
  run setDaemon setName start
threading.Timer: _args _bootstrap _bootstrap_inner _daemonic _delete _ident _initialized _invoke_excepthook
  _is_stopped _kwargs _name _native_id _reset_internal_locks _set_ident _set_native_id _set_tstate_lock _started
  _stderr _stop _target _tstate_lock _wait_for_tstate_lock args cancel daemon finished function getName ident interval
  isDaemon is_alive join kwargs name native_id run setDaemon setName start
logging.Handler: _at_fork_reinit _closed _name acquire addFilter close createLock emit filter filters flush format
  formatter get_name handle handleError level lock name release removeFilter setFormatter setLevel set_name
logging.StreamHandler: _at_fork_reinit _closed _name acquire addFilter close createLock emit filter filters flush
  format formatter get_name handle handleError level lock name release removeFilter setFormatter setLevel setStream
  set_name stream terminator
logging.FileHandler: _at_fork_reinit _builtin_open _closed _name _open acquire addFilter baseFilename close createLock
  delay emit encoding errors filter filters flush format formatter get_name handle handleError level lock mode name
  release removeFilter setFormatter setLevel setStream set_name stream terminator
logging.Formatter: _fmt _style converter datefmt default_msec_format default_time_format format formatException
  formatMessage formatStack formatTime usesTime
logging.Filter: filter name nlen
logging.Logger: _cache _log addFilter addHandler callHandlers critical debug disabled error exception fatal filter
  filters findCaller getChild getEffectiveLevel handle handlers hasHandlers info isEnabledFor level log makeRecord
  manager name parent propagate removeFilter removeHandler root setLevel warn warning
logging.LoggerAdapter: _log critical debug error exception extra getEffectiveLevel hasHandlers info isEnabledFor log
  logger manager name process setLevel warn warning
json.JSONEncoder: allow_nan check_circular default encode ensure_ascii indent item_separator iterencode key_separator
  skipkeys sort_keys
json.JSONDecoder: decode memo object_hook object_pairs_hook parse_array parse_constant parse_float parse_int
  parse_object parse_string raw_decode scan_once strict
io.IOBase: _checkClosed _checkReadable _checkSeekable _checkWritable close closed fileno flush isatty readable
  readline readlines seek seekable tell truncate writable writelines
io.RawIOBase: _checkClosed _checkReadable _checkSeekable _checkWritable close closed fileno flush isatty read readable
  readall readinto readline readlines seek seekable tell truncate writable write writelines
io.BufferedIOBase: _checkClosed _checkReadable _checkSeekable _checkWritable close closed detach fileno flush isatty
  read read1 readable readinto readinto1 readline readlines seek seekable tell truncate writable write writelines
io.TextIOBase: _checkClosed _checkReadable _checkSeekable _checkWritable close closed detach encoding errors fileno
  flush isatty newlines read readable readline readlines seek seekable tell truncate writable write writelines
io.StringIO: _checkClosed _checkReadable _checkSeekable _checkWritable close closed detach encoding errors fileno
  flush getvalue isatty line_buffering newlines read readable readline readlines seek seekable tell truncate writable
  write writelines
io.BytesIO: _checkClosed _checkReadable _checkSeekable _checkWritable close closed detach fileno flush getbuffer
  getvalue isatty read read1 readable readinto readinto1 readline readlines seek seekable tell truncate writable write
  writelines
io.TextIOWrapper: _CHUNK_SIZE _checkClosed _checkReadable _checkSeekable _checkWritable _finalizing buffer close
  closed detach encoding errors fileno flush isatty line_buffering name newlines read readable readline readlines
  reconfigure seek seekable tell truncate writable write write_through writelines
unittest.TestCase: _addExpectedFailure _addUnexpectedSuccess _baseAssertEqual _callCleanup _callSetUp _callTearDown
  _callTestMethod _cleanups _deprecate _diffThreshold _formatMessage _getAssertEqualityFunc _outcome _subtest
  _testMethodDoc _testMethodName _truncateMessage _type_equality_funcs addClassCleanup addCleanup addTypeEqualityFunc
  assertAlmostEqual assertAlmostEquals assertCountEqual assertDictContainsSubset assertDictEqual assertEqual
  assertEquals assertFalse assertGreater assertGreaterEqual assertIn assertIs assertIsInstance assertIsNone
  assertIsNot assertIsNotNone assertLess assertLessEqual assertListEqual assertLogs assertMultiLineEqual assertNoLogs
  assertNotAlmostEqual assertNotAlmostEquals assertNotEqual assertNotEquals assertNotIn assertNotIsInstance
  assertNotRegex assertNotRegexpMatches assertRaises assertRaisesRegex assertRaisesRegexp assertRegex
  assertRegexpMatches assertSequenceEqual assertSetEqual assertTrue assertTupleEqual assertWarns assertWarnsRegex
  assert_ countTestCases debug defaultTestResult doClassCleanups doCleanups enterClassContext enterContext fail failIf
  failIfAlmostEqual failIfEqual failUnless failUnlessAlmostEqual failUnlessEqual failUnlessRaises failureException id
  longMessage maxDiff run setUp setUpClass shortDescription skipTest subTest tearDown tearDownClass
unittest.IsolatedAsyncioTestCase: _addExpectedFailure _addUnexpectedSuccess _asyncioRunner _asyncioTestContext
  _baseAssertEqual _callAsync _callCleanup _callMaybeAsync _callSetUp _callTearDown _callTestMethod _classSetupFailed
  _class_cleanups _cleanups _deprecate _diffThreshold _formatMessage _getAssertEqualityFunc _outcome
  _setupAsyncioRunner _subtest _tearDownAsyncioRunner _testMethodDoc _testMethodName _truncateMessage
  _type_equality_funcs addAsyncCleanup addClassCleanup addCleanup addTypeEqualityFunc assertAlmostEqual
  assertAlmostEquals assertCountEqual assertDictContainsSubset assertDictEqual assertEqual assertEquals assertFalse
  assertGreater assertGreaterEqual assertIn assertIs assertIsInstance assertIsNone assertIsNot assertIsNotNone
  assertLess assertLessEqual assertListEqual assertLogs assertMultiLineEqual assertNoLogs assertNotAlmostEqual
  assertNotAlmostEquals assertNotEqual assertNotEquals assertNotIn assertNotIsInstance assertNotRegex
  assertNotRegexpMatches assertRaises assertRaisesRegex assertRaisesRegexp assertRegex assertRegexpMatches
  assertSequenceEqual assertSetEqual assertTrue assertTupleEqual assertWarns assertWarnsRegex assert_ asyncSetUp
  asyncTearDown countTestCases debug defaultTestResult doClassCleanups doCleanups enterAsyncContext enterClassContext
  enterContext fail failIf failIfAlmostEqual failIfEqual failUnless failUnlessAlmostEqual failUnlessEqual
  failUnlessRaises failureException id longMessage maxDiff run setUp setUpClass shortDescription skipTest subTest
  tearDown tearDownClass
argparse.Action: _get_args _get_kwargs choices const default dest format_usage help metavar nargs option_strings
  required type
argparse.ArgumentParser: _action_groups _actions _add_action _add_container_actions _check_conflict _check_value
  _defaults _get_args _get_formatter _get_handler _get_kwargs _get_nargs_pattern _get_option_tuples
  _get_optional_actions _get_optional_kwargs _get_positional_actions _get_positional_kwargs _get_value _get_values
  _handle_conflict_error _handle_conflict_resolve _has_negative_number_optionals _match_argument
  _match_arguments_partial _mutually_exclusive_groups _negative_number_matcher _option_string_actions _optionals
  _parse_known_args _parse_optional _pop_action_class _positionals _print_message _read_args_from_files _registries
  _registry_get _remove_action _subparsers add_argument add_argument_group add_help add_mutually_exclusive_group
  add_subparsers allow_abbrev argument_default conflict_handler convert_arg_line_to_args description epilog error exit
  exit_on_error format_help format_usage formatter_class fromfile_prefix_chars get_default parse_args
  parse_intermixed_args parse_known_args parse_known_intermixed_args prefix_chars print_help print_usage prog register
  set_defaults usage
argparse.Namespace: _get_args _get_kwargs
argparse.HelpFormatter argparse.RawDescriptionHelpFormatter: _Section _action_max_length _add_item _current_indent
  _current_section _dedent _expand_help _fill_text _format_action _format_action_invocation _format_actions_usage
  _format_args _format_text _format_usage _get_default_metavar_for_optional _get_default_metavar_for_positional
  _get_help_string _indent _indent_increment _iter_indented_subactions _join_parts _level _long_break_matcher
  _max_help_position _metavar_formatter _prog _root_section _split_lines _whitespace_matcher _width add_argument
  add_arguments add_text add_usage end_section format_help formatter heading items parent start_section
html.parser.HTMLParser: CDATA_CONTENT_ELEMENTS _decl_otherchars _parse_doctype_attlist _parse_doctype_element
  _parse_doctype_entity _parse_doctype_notation _parse_doctype_subset _scan_name cdata_elem check_for_whole_start_tag
  clear_cdata_mode close convert_charrefs feed get_starttag_text getpos goahead handle_charref handle_comment
  handle_data handle_decl handle_endtag handle_entityref handle_pi handle_startendtag handle_starttag interesting
  lasttag lineno offset parse_bogus_comment parse_comment parse_declaration parse_endtag parse_html_declaration
  parse_marked_section parse_pi parse_starttag rawdata reset set_cdata_mode unknown_decl updatepos
ast.NodeVisitor ast.NodeTransformer: generic_visit visit visit_Constant
http.server.BaseHTTPRequestHandler: MessageClass _control_char_table _headers_buffer address_string client_address
  close_connection command connection date_time_string default_request_version disable_nagle_algorithm end_headers
  error_content_type error_message_format finish flush_headers handle handle_expect_100 handle_one_request headers
  log_date_time_string log_error log_message log_request monthname parse_request path protocol_version raw_requestline
  rbufsize request request_version requestline responses rfile send_error send_header send_response send_response_only
  server server_version setup sys_version timeout version_string wbufsize weekdayname wfile
http.server.SimpleHTTPRequestHandler: MessageClass _control_char_table _encodings_map_default _headers_buffer
  address_string client_address close_connection command connection copyfile date_time_string default_request_version
  directory disable_nagle_algorithm do_GET do_HEAD end_headers error_content_type error_message_format extensions_map
  finish flush_headers guess_type handle handle_expect_100 handle_one_request headers list_directory
  log_date_time_string log_error log_message log_request monthname parse_request path protocol_version raw_requestline
  rbufsize request request_version requestline responses rfile send_error send_head send_header send_response
  send_response_only server server_version setup sys_version timeout translate_path version_string wbufsize
  weekdayname wfile
http.server.HTTPServer: RequestHandlerClass _handle_request_noblock address_family allow_reuse_address
  allow_reuse_port close_request fileno finish_request get_request handle_error handle_request handle_timeout
  process_request request_queue_size serve_forever server_activate server_address server_bind server_close server_name
  server_port service_actions shutdown shutdown_request socket socket_type timeout verify_request
socketserver.BaseRequestHandler: client_address finish handle request server setup
socketserver.StreamRequestHandler: client_address connection disable_nagle_algorithm finish handle rbufsize request
  rfile server setup timeout wbufsize wfile
socketserver.TCPServer: RequestHandlerClass _handle_request_noblock address_family allow_reuse_address
  allow_reuse_port close_request fileno finish_request get_request handle_error handle_request handle_timeout
  process_request request_queue_size serve_forever server_activate server_address server_bind server_close
  service_actions shutdown shutdown_request socket socket_type timeout verify_request
string.Formatter: _vformat check_unused_args convert_field format format_field get_field get_value parse vformat
string.Template: _invalid braceidpattern delimiter flags get_identifiers idpattern is_valid pattern safe_substitute
  substitute template
contextlib.ContextDecorator: _recreate_cm
contextlib.ExitStack: _create_cb_wrapper _create_exit_wrapper _exit_callbacks _push_cm_exit _push_exit_callback
  callback close enter_context pop_all push
contextlib.AsyncExitStack: _create_async_cb_wrapper _create_async_exit_wrapper _create_cb_wrapper _create_exit_wrapper
  _exit_callbacks _push_async_cm_exit _push_cm_exit _push_exit_callback aclose callback enter_async_context
  enter_context pop_all push push_async_callback push_async_exit
asyncio.Protocol: connection_lost connection_made data_received eof_received pause_writing resume_writing
asyncio.BaseProtocol: connection_lost connection_made pause_writing resume_writing
asyncio.DatagramProtocol: connection_lost connection_made datagram_received error_received pause_writing
  resume_writing
configparser.ConfigParser configparser.RawConfigParser: BOOLEAN_STATES NONSPACECRE OPTCRE OPTCRE_NV SECTCRE
  _DEFAULT_INTERPOLATION _OPT_NV_TMPL _OPT_TMPL _SECT_TMPL _allow_no_value _comment_prefixes _convert_to_boolean
  _converters _defaults _delimiters _dict _empty_lines_in_values _get _get_conv _handle_error _inline_comment_prefixes
  _interpolation _join_multiline_values _optcre _proxies _read _read_defaults _sections _strict _unify_values
  _validate_value_types _write_section add_section clear converters default_section defaults get getboolean getfloat
  getint has_option has_section items keys options optionxform pop popitem read read_dict read_file read_string readfp
  remove_option remove_section sections set setdefault update values write
datetime.tzinfo: dst fromutc tzname utcoffset
datetime.datetime: _day _fold _hashcode _hour _microsecond _minute _month _second _tzinfo _year astimezone combine
  ctime date day dst fold fromisocalendar fromisoformat fromordinal fromtimestamp hour isocalendar isoformat
  isoweekday max microsecond min minute month now replace resolution second strftime strptime time timestamp timetuple
  timetz today toordinal tzinfo tzname utcfromtimestamp utcnow utcoffset utctimetuple weekday year
datetime.date: _day _hashcode _month _year ctime day fromisocalendar fromisoformat fromordinal fromtimestamp
  isocalendar isoformat isoweekday max min month replace resolution strftime timetuple today toordinal weekday year
datetime.timedelta: _days _hashcode _microseconds _seconds days max microseconds min resolution seconds total_seconds
enum.Enum: _generate_next_value_ _member_map_ _member_names_ _member_type_ _missing_ _new_member_ _unhashable_values_
  _use_args_ _value2member_map_ _value_repr_ name value
enum.IntEnum: _generate_next_value_ _member_map_ _member_names_ _member_type_ _missing_ _new_member_
  _unhashable_values_ _use_args_ _value2member_map_ _value_repr_ as_integer_ratio bit_count bit_length conjugate
  denominator from_bytes imag name numerator real to_bytes value
enum.StrEnum: _generate_next_value_ _member_map_ _member_names_ _member_type_ _missing_ _new_member_
  _unhashable_values_ _use_args_ _value2member_map_ _value_repr_ capitalize casefold center count encode endswith
  expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric
  isprintable isspace istitle isupper join ljust lower lstrip maketrans name partition removeprefix removesuffix
  replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper
  value zfill
enum.Flag: _all_bits_ _boundary_ _flag_mask_ _generate_next_value_ _inverted_ _iter_member_ _iter_member_by_def_
  _iter_member_by_value_ _member_map_ _member_names_ _member_type_ _missing_ _new_member_ _numeric_repr_
  _singles_mask_ _unhashable_values_ _use_args_ _value2member_map_ _value_repr_ name value
enum.IntFlag: _all_bits_ _boundary_ _flag_mask_ _generate_next_value_ _inverted_ _iter_member_ _iter_member_by_def_
  _iter_member_by_value_ _member_map_ _member_names_ _member_type_ _missing_ _new_member_ _numeric_repr_
  _singles_mask_ _unhashable_values_ _use_args_ _value2member_map_ _value_repr_ as_integer_ratio bit_count bit_length
  conjugate denominator from_bytes imag name numerator real to_bytes value
code.InteractiveConsole: buffer compile filename interact locals push raw_input resetbuffer runcode runsource
  showsyntaxerror showtraceback write
cmd.Cmd: cmdloop cmdqueue columnize complete complete_help completedefault completekey completenames
  completion_matches default do_help doc_header doc_leader emptyline get_names identchars intro lastcmd misc_header
  nohelp old_completer onecmd parseline postcmd postloop precmd preloop print_topics prompt ruler stdin stdout
  undoc_header use_rawinput
codecs.Codec: decode encode
pathlib.PurePath: _cached_cparts _cparts _drv _format_parsed_parts _from_parsed_parts _from_parts _hash _make_child
  _parse_args _parts _pparts _root _str anchor as_posix as_uri drive is_absolute is_relative_to is_reserved joinpath
  match name parent parents parts relative_to root stem suffix suffixes with_name with_stem with_suffix
pathlib.Path: _cached_cparts _cparts _drv _format_parsed_parts _from_parsed_parts _from_parts _hash _make_child
  _make_child_relpath _parse_args _parts _pparts _root _scandir _str absolute anchor as_posix as_uri chmod cwd drive
  exists expanduser glob group hardlink_to home is_absolute is_block_device is_char_device is_dir is_fifo is_file
  is_mount is_relative_to is_reserved is_socket is_symlink iterdir joinpath lchmod link_to lstat match mkdir name open
  owner parent parents parts read_bytes read_text readlink relative_to rename replace resolve rglob rmdir root
  samefile stat stem suffix suffixes symlink_to touch unlink with_name with_stem with_suffix write_bytes write_text
pathlib.PosixPath: _cached_cparts _cparts _drv _flavour _format_parsed_parts _from_parsed_parts _from_parts _hash
  _make_child _make_child_relpath _parse_args _parts _pparts _root _scandir _str absolute anchor as_posix as_uri chmod
  cwd drive exists expanduser glob group hardlink_to home is_absolute is_block_device is_char_device is_dir is_fifo
  is_file is_mount is_relative_to is_reserved is_socket is_symlink iterdir joinpath lchmod link_to lstat match mkdir
  name open owner parent parents parts read_bytes read_text readlink relative_to rename replace resolve rglob rmdir
  root samefile stat stem suffix suffixes symlink_to touch unlink with_name with_stem with_suffix write_bytes
  write_text
decimal.Decimal: adjusted as_integer_ratio as_tuple canonical compare compare_signal compare_total compare_total_mag
  conjugate copy_abs copy_negate copy_sign exp fma from_float imag is_canonical is_finite is_infinite is_nan is_normal
  is_qnan is_signed is_snan is_subnormal is_zero ln log10 logb logical_and logical_invert logical_or logical_xor max
  max_mag min min_mag next_minus next_plus next_toward normalize number_class quantize radix real remainder_near
  rotate same_quantum scaleb shift sqrt to_eng_string to_integral to_integral_exact to_integral_value
fractions.Fraction: _add _denominator _div _divmod _floordiv _mod _mul _numerator _operator_fallbacks _richcmp _sub
  as_integer_ratio conjugate denominator from_decimal from_float imag limit_denominator numerator real
queue.Queue queue.PriorityQueue: _get _init _put _qsize all_tasks_done empty full get get_nowait join maxsize mutex
  not_empty not_full put put_nowait qsize queue task_done unfinished_tasks
importlib.abc.Loader: create_module load_module module_repr
importlib.abc.MetaPathFinder: find_module invalidate_caches
http.cookiejar.CookieJar: _cookie_attrs _cookie_from_cookie_tuple _cookies _cookies_for_domain _cookies_for_request
  _cookies_from_attrs_set _cookies_lock _normalized_cookie_tuples _now _policy _process_rfc2109_cookies
  add_cookie_header clear clear_expired_cookies clear_session_cookies domain_re dots_re extract_cookies magic_re
  make_cookies non_word_re quote_re set_cookie set_cookie_if_ok set_policy strict_domain_re
http.cookiejar.CookiePolicy: domain_return_ok path_return_ok return_ok set_ok
http.cookiejar.DefaultCookiePolicy: DomainLiberal DomainRFC2965Match DomainStrict DomainStrictNoDots
  DomainStrictNonDomain _allowed_domains _blocked_domains allowed_domains blocked_domains domain_return_ok
  hide_cookie2 is_blocked is_not_allowed netscape path_return_ok return_ok return_ok_domain return_ok_expires
  return_ok_port return_ok_secure return_ok_verifiability return_ok_version rfc2109_as_netscape rfc2965
  secure_protocols set_allowed_domains set_blocked_domains set_ok set_ok_domain set_ok_name set_ok_path set_ok_port
  set_ok_verifiability set_ok_version strict_domain strict_ns_domain strict_ns_set_initial_dollar strict_ns_set_path
  strict_ns_unverifiable strict_rfc2965_unverifiable
http.cookies.SimpleCookie: clear copy fromkeys get items js_output keys load output pop popitem setdefault update
  value_decode value_encode values
uuid.UUID: bytes bytes_le clock_seq clock_seq_hi_variant clock_seq_low fields hex int is_safe node time
  time_hi_version time_low time_mid urn variant version
multiprocessing.Process: _Popen _after_fork _args _bootstrap _check_closed _closed _config _identity _kwargs _name
  _parent_name _parent_pid _popen _sentinel _start_method _target authkey close daemon exitcode ident is_alive join
  kill name pid run sentinel start terminate
abc.ABCMeta: _dump_registry mro register
ssl.SSLContext: _encode_hostname _host_flags _load_windows_store_certs _msg_callback _set_alpn_protocols
  _windows_cert_stores _wrap_bio _wrap_socket cert_store_stats check_hostname get_ca_certs get_ciphers
  hostname_checks_common_name keylog_filename load_cert_chain load_default_certs load_dh_params load_verify_locations
  maximum_version minimum_version num_tickets options post_handshake_auth protocol security_level session_stats
  set_alpn_protocols set_ciphers set_default_verify_paths set_ecdh_curve set_npn_protocols set_servername_callback
  sni_callback sslobject_class sslsocket_class verify_flags verify_mode wrap_bio wrap_socket
random.Random: VERSION _randbelow _randbelow_with_getrandbits _randbelow_without_getrandbits betavariate choice
  choices expovariate gammavariate gauss gauss_next getrandbits getstate lognormvariate normalvariate paretovariate
  randbytes randint random randrange sample seed setstate shuffle triangular uniform vonmisesvariate weibullvariate
concurrent.futures.Executor: map shutdown submit
concurrent.futures.ThreadPoolExecutor: _adjust_thread_count _broken _counter _idle_semaphore _initargs _initializer
  _initializer_failed _max_workers _shutdown _shutdown_lock _thread_name_prefix _threads _work_queue map shutdown
  submit
concurrent.futures.Future: _condition _done_callbacks _exception _invoke_callbacks _result _state _waiters
  add_done_callback cancel cancelled done exception result running set_exception set_result
  set_running_or_notify_cancel
`);

/** One entry a paragraph, continued by indented lines: names, a colon, attributes. */
function read(table: string): Map<string, readonly string[]> {
  const bases = new Map<string, readonly string[]>();
  for (const row of table.trim().split(/\n(?! )/)) {
    const [names = "", attributes = ""] = row.split(":");
    const list = attributes.trim() === "" ? [] : attributes.trim().split(/\s+/);
    for (const name of names.trim().split(/\s+/)) bases.set(name, list);
  }
  return bases;
}
