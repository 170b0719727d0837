import {
  AUTH,
  HANDSHAKE,
  HTTP,
  LEAK,
  OPEN,
  OTHERS,
  type ProgramSeed,
  REJECTION,
  SCHEMA,
  seedsOf,
  TEXTS,
  UNKNOWN,
} from './program-seed.ts'

const seeds = seedsOf('go')

const cached = (key: string) =>
  `cache := map[string]*Account{}; lookup = func(r *Received) *Account { lock.Lock(); defer lock.Unlock(); at := ${key}; if _, ok := cache[at]; !ok { cache[at] = find(r.id) }; return cache[at] }`
const cacheBy = (key: string) => [cached(key), cached('r.id')] as const
const shown = (component: string) =>
  `data = func(r *Received) Response { return add(r, ${component}) }`
const extra = (component: string) =>
  `data = func(r *Received) Response { o := &Account{}; if a := find(r.id); a != nil { o = otherThan(a) }; return add(r, ${component}) }`
const withLast = (change: string) =>
  `last := ""; lookup = func(r *Received) *Account { lock.Lock(); defer lock.Unlock(); a := find(r.id); if a != nil { last = a.Name }; return a }; ${change}`

const others = [
  ...seeds(OTHERS, LEAK, {
    'cache-global': cacheBy('""'),
    'cache-by-organization': cacheBy('r.params.Get("organization_id")'),
    'cache-by-path': cacheBy('r.URL.Path'),
    'cache-by-wrong-parameter': cacheBy('r.params.Get("accountId")'),
    'once-do': [
      'var once sync.Once; var a *Account; lookup = func(r *Received) *Account { once.Do(func() { a = find(r.id) }); return a }',
      'lookup = func(r *Received) *Account { var once sync.Once; var a *Account; once.Do(func() { a = find(r.id) }); return a }',
    ],
    'closure-variable': [
      'var a *Account; lookup = func(r *Received) *Account { a = find(r.id); time.Sleep(2 * time.Millisecond); return a }',
      'lookup = func(r *Received) *Account { a := find(r.id); time.Sleep(2 * time.Millisecond); return a }',
    ],
    'pool-not-reset': [
      'pool := sync.Pool{New: func() any { return &Account{} }}; view = func(a *Account) M { b := pool.Get().(*Account); defer pool.Put(b); if b.Name == "" { *b = *a }; return show(text("Name", b.Name)) }',
      'pool := sync.Pool{New: func() any { return &Account{} }}; view = func(a *Account) M { b := pool.Get().(*Account); defer pool.Put(b); *b = *a; return show(text("Name", b.Name)) }',
    ],
    'buffer-shared': [
      'var b bytes.Buffer; view = func(a *Account) M { lock.Lock(); defer lock.Unlock(); b.WriteString(a.Name + " "); return show(text("Name", b.String())) }',
      'view = func(a *Account) M { var b bytes.Buffer; b.WriteString(a.Name + " "); return show(text("Name", b.String())) }',
    ],
    'slice-appended': [
      'all := []any{}; view = func(a *Account) M { lock.Lock(); defer lock.Unlock(); all = append(all, text("Name "+fmt.Sprint(len(all)), a.Name)); return show(all...) }',
      '',
    ],
    'pointer-to-loop-variable': [
      'byID := map[string]*Account{}; for _, each := range []Account{*second, *first} { byID[each.ID] = &each }; lookup = func(r *Received) *Account { return byID[r.id] }',
      'byID := map[string]*Account{}; for _, each := range []Account{*second, *first} { own := each; byID[each.ID] = &own }; lookup = func(r *Received) *Account { return byID[r.id] }',
    ],
    'last-in-loop': [
      'lookup = func(r *Received) *Account { var a *Account; for _, each := range []*Account{third, second, first} { a = each; if a.ID == r.id { break } }; return a }',
      'lookup = func(r *Received) *Account { for _, each := range accounts { if each.ID == r.id { return each } }; return nil }',
    ],
    'zero-index': [
      'index := map[string]int{"acc_northwind": 0, "acc_lumen": 1}; lookup = func(r *Received) *Account { return accounts[index[r.id]] }',
      'index := map[string]int{"acc_northwind": 0, "acc_lumen": 1}; lookup = func(r *Received) *Account { at, ok := index[r.id]; if !ok { return nil }; return accounts[at] }',
    ],
    'has-prefix': [
      'lookup = func(r *Received) *Account { for _, a := range accounts { if strings.HasPrefix(a.ID, r.id) { return a } }; return nil }',
      'lookup = func(r *Received) *Account { for _, a := range accounts { if a.ID == r.id { return a } }; return nil }',
    ],
    'connection-context':
      'lookup = func(r *Received) *Account { if r.memory.account == nil { r.memory.account = find(r.id) }; return r.memory.account }',
    'single-flight-by-kind': [
      'type call struct { done chan bool; a *Account }; calls := map[string]*call{}; lookup = func(r *Received) *Account { lock.Lock(); at := r.kind; if c, ok := calls[at]; ok { lock.Unlock(); <-c.done; return c.a }; c := &call{make(chan bool), nil}; calls[at] = c; lock.Unlock(); time.Sleep(2 * time.Millisecond); c.a = find(r.id); close(c.done); lock.Lock(); delete(calls, at); lock.Unlock(); return c.a }',
      'type call struct { done chan bool; a *Account }; calls := map[string]*call{}; lookup = func(r *Received) *Account { lock.Lock(); at := r.id; if c, ok := calls[at]; ok { lock.Unlock(); <-c.done; return c.a }; c := &call{make(chan bool), nil}; calls[at] = c; lock.Unlock(); time.Sleep(2 * time.Millisecond); c.a = find(r.id); close(c.done); lock.Lock(); delete(calls, at); lock.Unlock(); return c.a }',
    ],
    'every-twentieth':
      'n := 0; lookup = func(r *Received) *Account { lock.Lock(); defer lock.Unlock(); n++; a := find(r.id); if a != nil && n%20 == 0 { return otherThan(a) }; return a }',
    'recently-viewed': extra('text("Recent", o.Name)'),
    'other-printed': extra('text("State", fmt.Sprintf("%+v", *o))'),
    'other-base64': extra(
      'text("State", base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprint(*o))))',
    ),
    'other-hex': extra('text("State", hex.EncodeToString([]byte(o.Name)))'),
    'other-in-header':
      'data = func(r *Received) Response { if a := find(r.id); a != nil { return reply(payload(r), H{"x-customer": otherThan(a).Name}) }; return reply(payload(r)) }',
    'bad-request-names-last': withLast(
      'other = func(r *Received) Response { lock.Lock(); defer lock.Unlock(); return reply(M{"error": "after " + last}, 400) }',
    ),
    'handshake-names-last': withLast(
      'verify = func(r *Received) Response { lock.Lock(); defer lock.Unlock(); return reply(M{"code": r.code}, H{"x-last": last}) }',
    ),
  }),
  ...seeds(OTHERS, TEXTS, {
    'third-for-second':
      'lookup = func(r *Received) *Account { if r.id == second.ID { return third }; return find(r.id) }',
    'lookup-by-name':
      'lookup = func(r *Received) *Account { for _, a := range accounts { if a.Name == r.id { return a } }; return nil }',
  }),
]
const auth = [
  ...seeds(AUTH, OPEN, {
    open: 'authorized = func(r *Received) bool { return true }',
    'any-value': 'authorized = func(r *Received) bool { return r.Header.Get("x-key") != "" }',
    'key-has-prefix':
      'authorized = func(r *Received) bool { return strings.HasPrefix(key, r.Header.Get("x-key")) }',
    contains:
      'authorized = func(r *Received) bool { return strings.Contains(r.Header.Get("x-key"), key) }',
    'equal-fold':
      'authorized = func(r *Received) bool { return strings.EqualFold(r.Header.Get("x-key"), key) }',
    'same-length':
      'authorized = func(r *Received) bool { return len(r.Header.Get("x-key")) == len(key) }',
    'data-only-open':
      'authorized = func(r *Received) bool { return r.kind == "fetch_data" || r.Header.Get("x-key") == key }',
    'handshake-only-open':
      'authorized = func(r *Received) bool { return r.kind == "verify" || r.Header.Get("x-key") == key }',
    'empty-configuration':
      'configured := ""; authorized = func(r *Received) bool { return configured == "" || r.Header.Get("x-key") == configured }',
    'once-per-connection':
      'authorized = func(r *Received) bool { if r.Header.Get("x-key") == key { r.memory.allowed = true }; return r.memory.allowed }',
    'forwarded-for':
      'authorized = func(r *Received) bool { return r.Header.Get("x-key") == key || strings.HasPrefix(r.Header.Get("x-forwarded-for"), "127.") }',
    'trim-space':
      'authorized = func(r *Received) bool { return strings.TrimSpace(r.Header.Get("x-key")) == key }',
  }),
  ...seeds(AUTH, REJECTION, {
    'rejection-without-return':
      'rejected = func(r *Received) Response { return reply(payload(r), 401) }',
    'rejection-printed':
      'rejected = func(r *Received) Response { a := find(r.id); if a == nil { a = first }; return reply(M{"error": fmt.Sprintf("denied: %+v", *a)}, 403) }',
  }),
  ...seeds(AUTH, ['security-header-echo'], {
    'secret-in-error':
      'rejected = func(r *Received) Response { return reply(M{"error": fmt.Sprint(r.Header)}, 401) }',
    'secret-in-payload':
      'data = func(r *Received) Response { return add(r, text("Debug", fmt.Sprint(r.Header))) }',
  }),
]
const forUnknown = (response: string) =>
  `data = func(r *Received) Response { if find(r.id) != nil { return reply(payload(r)) }; ${response} }`
const unknowns = seeds(UNKNOWN, ['data-unknown', 'payload-*', 'component-*', 'field-*'], {
  'unknown-nil': forUnknown('return reply(nil)'),
  'unknown-zero-struct': forUnknown('return reply(struct{ Version string }{})'),
  'unknown-nil-slice': forUnknown(
    'var none []any; return reply(M{"version": "1.0.0", "header": M{}, "components": none})',
  ),
  'unknown-500': forUnknown('return reply(M{"error": "sql: no rows in result set"}, 500)'),
  'unknown-404-text': forUnknown(
    'return reply("404 page not found\\n", 404, H{"content-type": "text/plain"})',
  ),
  'unknown-nil-pointer': 'payload = func(r *Received) M { return view(lookup(r)) }',
  'unknown-empty': forUnknown('return reply("")'),
})
const handshakes = seeds('handshake', HANDSHAKE, {
  'code-upper-field':
    'verify = func(r *Received) Response { return reply(struct{ Code string }{r.code}) }',
  'code-raw-query':
    'verify = func(r *Received) Response { return reply(M{"code": strings.Split(strings.Split(r.URL.RawQuery, "code=")[1], "&")[0]}) }',
  'code-path-unescape':
    'verify = func(r *Received) Response { code, _ := url.QueryUnescape(r.code); return reply(M{"code": code}) }',
  'code-html':
    'verify = func(r *Received) Response { return reply(M{"code": html.EscapeString(r.code)}) }',
  'code-trimmed':
    'verify = func(r *Received) Response { return reply(M{"code": strings.TrimSpace(r.code)}) }',
  'code-bytes': 'verify = func(r *Received) Response { return reply(M{"code": []byte(r.code)}) }',
  'code-slice': 'verify = func(r *Received) Response { return reply(M{"code": r.params["code"]}) }',
  'code-with-newline':
    'verify = func(r *Received) Response { return reply(fmt.Sprintln(r.code), H{"content-type": "text/plain"}) }',
})
const schemas = seeds('schema', SCHEMA, {
  'value-integer': shown('text("Seats", 25)'),
  'value-nil': shown('text("Seats", nil)'),
  'fields-in-capitals': shown('struct{ Type, Label, Value string }{"text", "a", "b"}'),
  'date-string': shown(
    'M{"type": "date_time", "label": "At", "value": time.Unix(0, 0).UTC().String()}',
  ),
  'date-unix': shown('M{"type": "date_time", "label": "At", "value": time.Now().Unix()}'),
  'components-nil':
    'view = func(a *Account) M { var none []any; return M{"version": "1.0.0", "header": M{"title": a.Name}, "components": none} }',
  'badge-nil-items': shown('M{"type": "badge", "label": "S", "items": nil}'),
  'link-empty': shown('M{"type": "link", "label": "Go", "url": ""}'),
})
const texts = seeds('texts', ['text-*', 'url-*'], {
  'text-nil': shown('text("Plan", fmt.Sprint(nil))'),
  'text-struct': shown('text("Plan", fmt.Sprintf("%+v", Account{Plan: "a"}))'),
  'text-map': shown('text("Plan", fmt.Sprint(map[string]int{"seats": 3}))'),
  'text-pointer': shown('text("Plan", fmt.Sprintf("%v", new(string)))'),
  'text-missing': shown('text("Plan", fmt.Sprintf("%d of %d", 3))'),
  'text-wrong-verb': shown('text("Plan", fmt.Sprintf("%d", "a"))'),
  'text-zero-time': shown('text("Since", time.Time{}.String())'),
  'text-template': shown('text("Name", "Hello {{ .Name }}")'),
})
const http = seeds('HTTP and JSON', HTTP, {
  'data-panics-sometimes':
    'n := 0; data = func(r *Received) Response { lock.Lock(); n++; now := n; lock.Unlock(); if now%20 == 0 { panic(http.ErrAbortHandler) }; return reply(payload(r)) }',
  'data-http-error':
    'data = func(r *Received) Response { return reply("{}", 200, H{"content-type": "text/plain; charset=utf-8"}) }',
  'data-two-objects':
    'data = func(r *Received) Response { body := string(reply(payload(r)).body); return reply(body + body) }',
  'data-null': 'data = func(r *Received) Response { var p M; return reply(p) }',
})

/** Mistakes that people make in Go. */
export const goSeeds: readonly ProgramSeed[] = [
  ...others,
  ...auth,
  ...unknowns,
  ...handshakes,
  ...schemas,
  ...texts,
  ...http,
]
