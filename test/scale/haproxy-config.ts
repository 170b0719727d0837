/** Returns the configuration that docs/guides/scaling.md shows. */
export function haproxyConfig(port: number, ports: readonly number[]): string {
  return `defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 15s
  retries 3
  option redispatch 1
  retry-on conn-failure empty-response

frontend sidebar
  bind 127.0.0.1:${port}
  default_backend billing

backend billing
  balance roundrobin
  default-server check inter 500ms fall 1 rise 1
${ports.map((each, index) => `  server billing${index + 1} 127.0.0.1:${each}\n`).join('')}`
}
