/** Channels of a command, of which the first byte of each message names one. Source: apimachinery `remotecommand`. */
export const execChannels = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 } as const;

/** Protocols of commands, the preferred one first: version 5 can end stdin, version 4 cannot. */
export const execProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

/** Channels of a forwarded port: its data, and the message of a failure. Source: kubelet `portforward/websocket.go`. */
export const portChannels = { data: 0, error: 1 } as const;

/** The protocol of forwarded ports. */
export const portProtocol = 'v4.channel.k8s.io';

/** Returns a message of a channel. */
export function messageOn(channel: number, data: Uint8Array): Buffer {
  const message = Buffer.allocUnsafe(data.length + 1);
  message[0] = channel;
  message.set(data, 1);
  return message;
}
