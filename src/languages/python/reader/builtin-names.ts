// Names every module has without binding them. A use of one says nothing, so it is left out of summaries.

export const builtinNames: ReadonlySet<string> = new Set(
  `ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
  BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
  ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup
  False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
  ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError
  MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError
  OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError
  ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError
  SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError
  UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning WindowsError
  ZeroDivisionError __build_class__ __builtins__ __cached__ __debug__ __dict__ __doc__ __file__ __import__ __loader__
  __name__ __package__ __path__ __spec__ __annotations__ __class__ __qualname__ __module__ _ abs aiter all anext any
  apply ascii basestring bin bool breakpoint buffer bytearray bytes callable chr classmethod cmp coerce compile
  complex copyright credits delattr dict dir display divmod enumerate eval exec execfile exit file filter float format
  frozenset get_ipython getattr globals hasattr hash help hex id input int intern isinstance issubclass iter len
  license list locals long map max memoryview min next object oct open ord pow print property quit range raw_input
  reduce reload repr reversed reveal_locals reveal_type round set setattr slice sorted staticmethod str sum super
  tuple type unichr unicode vars xrange zip`
    .split(/\s+/)
    .filter((name) => name !== ""),
);
