declare const brand: unique symbol

/** A type that is `T` at run time and cannot be confused with another `T` by the compiler. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }
