import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

/** Opens a connection for raw bytes. */
export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Reads until the other side closes. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Reads until the text so far satisfies a condition. */
export async function readUntil(socket: Socket, done: (text: string) => boolean): Promise<string> {
  let text = ''
  while (!done(text)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    text += chunk.toString()
  }
  return text
}

/** Sends bytes on a new connection and reads the whole response. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const socket = await open(port)
  socket.write(bytes)
  return readAll(socket)
}
