// Stands in for prometheus-config-reloader, which is published as an image only: writes a configuration with its variables replaced, and
// has Prometheus or Alertmanager load it whenever it, or a file in a watched folder, has changed. It has the flags of the original, but
// looks several times a second in place of `--watch-interval`, of which 0 means once.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

const { values } = parseArgs({
  options: {
    'config-file': { type: 'string' },
    'config-envsubst-file': { type: 'string' },
    'watched-dir': { type: 'string', multiple: true, default: [] },
    'reload-url': { type: 'string', default: '' },
    'reload-timeout': { type: 'string' },
    'watch-interval': { type: 'string', default: '3m' },
    'listen-address': { type: 'string' },
    'web-config-file': { type: 'string' },
    'log-level': { type: 'string' },
    'log-format': { type: 'string' },
    // Of this program alone: a module whose default export changes the configuration.
    transform: { type: 'string' },
  },
});
const { 'config-file': source, 'config-envsubst-file': target, 'watched-dir': folders } = values;
const transform = values.transform === undefined ? (text) => text : (await import(values.transform)).default;
const isOnce = /^0(?:s|m|h)?$/.test(values['watch-interval']);

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0));
if (isOnce) writeConfig();
else {
  serveHealth();
  let loaded = '';
  for (;;) {
    try {
      const state = `${writeConfig()} ${folders.map(digestOfFolder).join(' ')}`;
      if (state !== loaded && (await reload())) loaded = state;
    } catch (error) {
      console.error(`not loaded: ${error.message}`);
    }
    await sleep(150);
  }
}

/** Returns the digest of the configuration. */
function writeConfig() {
  if (source === undefined) return '';
  const bytes = readFileSync(source);
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = transform(substituted((isZipped ? gunzipSync(bytes) : bytes).toString()));
  if (target !== undefined) {
    writeFileSync(`${target}.new`, text);
    renameSync(`${target}.new`, target);
  }
  return createHash('sha256').update(text).digest('hex');
}

/** Replaces `$(NAME)`. A variable that is not set is an error, as for the original. */
function substituted(text) {
  return text.replaceAll(/\$\((\w+)\)/g, (_, name) => {
    const value = process.env[name];
    if (value === undefined) throw new Error(`${source} names the variable ${name}, which is not set`);
    return value;
  });
}

function digestOfFolder(folder) {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isFile()) hash.update(`${name}\n`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** Not by `fetch`: what that loads is more than the memory that operators allow the original. */
function reload() {
  const url = values['reload-url'];
  return new Promise((resolve, reject) => {
    const fail = (error) => reject(new Error(`${url}: ${error.message}`));
    const sent = request(url, { method: 'POST' }, async (response) => {
      try {
        const said = Buffer.concat(await response.toArray()).toString();
        if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${said}`);
        console.log('Reload triggered');
        resolve(true);
      } catch (error) {
        fail(error);
      }
    });
    sent.on('error', fail).end();
  });
}

/** Answers probes. */
function serveHealth() {
  const address = values['listen-address'];
  if (address === undefined) return;
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon).replaceAll(/[[\]]/g, '');
  createServer((_, answer) => answer.end('ok')).listen(
    Number(address.slice(colon + 1)),
    ...(host === '' ? [] : [host]),
  );
}
