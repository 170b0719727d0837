/** Creates a proxy that throws on every access. Immer revokes a draft when its producer has returned. */
export function revokedProxy(target: object): any {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}
