<?php
// A conformant endpoint for PHP's built-in server: `php -S 127.0.0.1:0 endpoint.php`. Several
// workers serve it, so only files are shared. A seed replaces the line CHANGE.
const KEY = 'sekret-0f9d2c71';
const COMMON = ['content-type' => 'application/json', 'x-content-type-options' => 'nosniff', 'cache-control' => 'no-store'];
ini_set('html_errors', '0');
$ACCOUNTS = [];
foreach ([
    ['acc_northwind', 'Northwind Traders', 'Priya Natarajan', 'Business', 25],
    ['acc_lumen', 'Lumen Optics', 'Tomas Lindqvist', 'Starter', 4],
    ['acc_fabrikam', 'Fabrikam Industries', 'Mei Tanaka', 'Business', 70],
] as [$id, $name, $owner, $plan, $seats]) {
    $ACCOUNTS[$id] = compact('id', 'name', 'owner', 'plan', 'seats');
}
[$FIRST, $SECOND, $THIRD] = array_values($ACCOUNTS);

function text($label, $value) { return ['type' => 'text', 'label' => $label, 'value' => $value]; }
function show(...$components) { return ['version' => '1.0.0', 'header' => ['title' => 'Billing'], 'components' => $components]; }
function find($id) { global $ACCOUNTS; return $ACCOUNTS[$id] ?? null; }
function other_than($a) { global $FIRST, $SECOND; return $a['id'] === $FIRST['id'] ? $SECOND : $FIRST; }
function param($name) { return $_GET[$name] ?? ''; }
function sent() { return $_SERVER['HTTP_X_KEY'] ?? ''; }
function send($value, $status = 200, $headers = []) {
    http_response_code($status);
    foreach (array_merge(COMMON, $headers) as $name => $content) header("$name: $content");
    header_remove('X-Powered-By');
    echo is_string($value) ? $value : json_encode($value, JSON_UNESCAPED_SLASHES);
}
/** A value that all workers share. */
function shared($name, $change) {
    $file = fopen(getenv('FARM_STATE') . '/' . md5($name), 'c+');
    flock($file, LOCK_EX);
    $before = unserialize(stream_get_contents($file) ?: 'N;');
    $after = $change($before);
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, serialize($after));
    fclose($file);
    return $after;
}
$view = fn($a) => show(text('Name', $a['name']), text('Owner', $a['owner']), text('Plan', $a['plan']), text('Seats', (string) $a['seats']));
$unknown = fn() => show(text('Result', 'No such customer'));
$lookup = fn() => find(param('account_id'));
$payload = function () use (&$lookup, &$view, &$unknown) { $a = $lookup(); return $a === null ? $unknown() : $view($a); };
$add = function (...$components) use (&$payload) { $p = $payload(); $p['components'] = array_merge($p['components'], $components); send($p); };
$authorized = fn() => sent() === KEY;
$rejected = fn() => send(['error' => 'unauthorized'], 401);
$data = fn() => send($payload());
$verify = fn() => send(['code' => param('code')]);
$other = fn() => send(['error' => 'bad request'], 400);

// CHANGE

if (!$authorized()) $rejected();
elseif (param('request_type') === 'verify' && param('code') !== '') $verify();
elseif (param('request_type') === 'fetch_data') $data();
else $other();
