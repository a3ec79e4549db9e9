// @ts-check
/**
 * Loaded into a program of this machine before its first line: lets it find Pods and Services of a test control plane by their names, as
 * the process of the control plane does. It asks that process over a socket, and uses nothing but Node.
 */
import { connect } from 'node:net';
import { answerNames } from './name-lookup.js';

const path = process.env['OP_SDK_NAMES'];
if (path !== undefined) answerFrom(path);

/** @param {string} address path of the socket of the {@link import('./name-server.ts').NameServer} */
function answerFrom(address) {
  /** @type {import('node:net').Socket | undefined} */
  let socket;
  /** Callbacks of the names that were asked for, in the order of the answers. @type {((address: string | undefined) => void)[]} */
  const waiting = [];

  function open() {
    let rest = '';
    const opened = connect(address);
    opened.setEncoding('utf8');
    opened.on('data', (/** @type {string} */ text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) waiting.shift()?.(line === '' ? undefined : line);
      // Only a question keeps the program running.
      if (waiting.length === 0) opened.unref();
    });
    // The control plane has ended: the names have no addresses.
    opened.on('error', () => undefined);
    opened.on('close', () => {
      socket = undefined;
      for (const answer of waiting.splice(0)) answer(undefined);
    });
    return opened;
  }

  answerNames((name) => {
    if (!/^[a-z0-9.-]+\.svc(\.cluster\.local)?\.?$/.test(name)) return undefined;
    return new Promise((resolve) => {
      waiting.push(resolve);
      socket ??= open();
      socket.ref();
      socket.write(`${name}\n`);
    });
  });
}
