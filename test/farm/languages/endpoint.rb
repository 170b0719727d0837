# A conformant endpoint with the standard library. A seed replaces the line CHANGE.
require 'base64'
require 'cgi'
require 'date'
require 'json'
require 'ostruct'
require 'set'
require 'socket'
require 'time'
require 'uri'
Thread.report_on_exception = false

KEY = 'sekret-0f9d2c71'
COMMON = { 'content-type' => 'application/json', 'x-content-type-options' => 'nosniff', 'cache-control' => 'no-store' }
Account = Struct.new(:id, :name, :owner, :plan, :seats)
ACCOUNTS = [
  ['acc_northwind', 'Northwind Traders', 'Priya Natarajan', 'Business', 25],
  ['acc_lumen', 'Lumen Optics', 'Tomas Lindqvist', 'Starter', 4],
  ['acc_fabrikam', 'Fabrikam Industries', 'Mei Tanaka', 'Business', 70],
].to_h { |row| [row[0], Account.new(*row.map { |each| each.is_a?(String) ? +each : each })] }
FIRST, SECOND, THIRD = ACCOUNTS.values

class Received
  attr_reader :path, :query, :headers, :memory, :params, :sent, :id, :code, :kind
  def initialize(path, headers, memory)
    @path, @headers, @memory = path, headers, memory
    @query = path.split('?', 2)[1].to_s
    @params = @query.split('&').map { |pair| pair.split('=', 2).map { |each| CGI.unescape(each) } }.to_h { |name, value| [name.to_s, value.to_s] }
    @sent = headers['x-key'].to_s
    @id = @params['account_id'].to_s
    @code = @params['code'].to_s
    @kind = @params['request_type'].to_s
  end
end

def text(label, value) = { type: 'text', label: label, value: value }
def show(*components) = { version: '1.0.0', header: { title: 'Billing' }, components: components }
def find(id) = ACCOUNTS[id]
def other_than(account) = account.equal?(FIRST) ? SECOND : FIRST
def view(a) = show(text('Name', a.name), text('Owner', a.owner), text('Plan', a.plan), text('Seats', a.seats.to_s))
def unknown(r) = show(text('Result', 'No such customer'))
def payload_of(a, r) = a.nil? ? unknown(r) : view(a)
def lookup(r) = find(r.id)
def payload(r) = payload_of(lookup(r), r)
def reply(value, status = 200, headers = {}) = [status, COMMON.merge(headers), value.is_a?(String) ? value : JSON.generate(value)]
def add(r, *components)
  found = payload(r)
  reply(found.merge(components: found[:components] + components))
end
def authorized(r) = r.sent == KEY
def rejected(r) = reply({ error: 'unauthorized' }, 401)
def data(r) = reply(payload(r))
def verify(r) = reply({ code: r.code })
def other(r) = reply({ error: 'bad request' }, 400)
def respond(r)
  return rejected(r) unless authorized(r)
  return verify(r) if r.kind == 'verify' && r.code != ''
  return data(r) if r.kind == 'fetch_data'
  other(r)
end
def after(r, socket) = nil
def fix(headers, body) = headers.merge('content-length' => body.bytesize.to_s)

# CHANGE

def serve(socket)
  socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
  memory = {}
  while (line = socket.gets)
    path = line.split(' ')[1]
    headers = {}
    while (header = socket.gets) && header != "\r\n"
      name, value = header.chomp.split(':', 2)
      headers[name.downcase] = value.to_s.strip
    end
    r = Received.new(path, headers, memory)
    status, fields, body = respond(r)
    head = fix(fields, body).map { |name, value| "#{name}: #{value}\r\n" }.join
    socket.write("HTTP/1.1 #{status} Status\r\n#{head}\r\n".b + body.b)
    after(r, socket)
  end
rescue SystemCallError, IOError
  nil
ensure
  socket.close
end

server = TCPServer.new('127.0.0.1', 0)
server.listen(128)
puts "http://127.0.0.1:#{server.addr[1]}/"
$stdout.flush
Thread.new { $stdin.read; exit! }
loop { Thread.new(server.accept) { |socket| serve(socket) } }
