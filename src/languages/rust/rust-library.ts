// Lists what Rust's library is known to bring, by name.

/** The functions and methods that derives bring and that return a value of the type itself. */
export const derivedFunctions: ReadonlyMap<string, string> = new Map([["default", "derive Default"]]);
export const derivedMethods: ReadonlyMap<string, string> = new Map([["clone", "derive Clone"]]);

/** `?` too: as a member it stands for the operator. */
export const takesOut: ReadonlySet<string> = new Set([
  "unwrap",
  "expect",
  "unwrap_or_default",
  "unwrap_or",
  "unwrap_or_else",
  "?",
]);

/** Traits of the library that bring nothing but their own names. */
export const libraryTraits: ReadonlySet<string> = new Set(
  "IntoIterator Extend FromIterator AddAssign SubAssign MulAssign DivAssign Rem RemAssign BitAnd BitOr BitXor Shl Shr ToOwned ToString BorrowMut Sum Product Debug Display Clone Copy PartialEq Eq Hash Default PartialOrd Ord From Into TryFrom TryInto FromStr AsRef AsMut Drop Add Sub Mul Div Neg Not Index IndexMut Error Serialize Deserialize Send Sync Borrow".split(
    " ",
  ),
);

/** Methods that one of its traits may supply. */
export const suppliedByTraits: ReadonlySet<string> = new Set(
  "to_string clone clone_from default from into try_from try_into from_str eq ne cmp partial_cmp lt le gt ge max min clamp hash fmt next iter into_iter deref deref_mut as_ref as_mut borrow borrow_mut to_owned drop index index_mut add sub mul div neg not source description cause write write_all flush read read_to_end read_to_string type_id poll serialize deserialize extend from_iter len".split(
    " ",
  ),
);
