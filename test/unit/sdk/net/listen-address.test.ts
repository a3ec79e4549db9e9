import { expect, it } from 'vitest';
import { parseListenAddress } from '../../../../src/sdk/net/index.ts';

it.each([
  [':8081', { port: 8081 }],
  ['127.0.0.1:80', { host: '127.0.0.1', port: 80 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['[::1]:8443', { host: '::1', port: 8443 }],
  ['0', undefined],
])('%s is an address', (text, address) => {
  expect(parseListenAddress(text, '--x')).toEqual(address);
});

it.each(['', '8080', ':', ':x', ':65536', '::1:80', 'a b:80', 'http://x:80', ':80 ', ':-1'])(
  '%j is none',
  (text) => {
    expect(() => parseListenAddress(text, '--x')).toThrow(/runtime\/invalid-address/);
  },
);
