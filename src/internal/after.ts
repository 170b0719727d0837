/**
 * Goes on with a value: at once where it is there, else when its promise is
 * fulfilled. An `await` of what is there already costs a turn all the same.
 */
export function after<Value, Result>(
  value: Value | Promise<Value>,
  proceed: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(proceed) : proceed(value)
}
