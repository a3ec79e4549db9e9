// Stands in for the config reloader of prometheus-operator: writes a configuration with its variables replaced, and lets Prometheus load it.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    'config-file': { type: 'string', default: '' },
    'config-envsubst-file': { type: 'string', default: '' },
    'reload-url': { type: 'string', default: '' },
    'watch-interval': { type: 'string', default: '100' },
  },
});
const interval = Number(values['watch-interval']);
const target = values['config-envsubst-file'];
let loaded = '';
do {
  const text = readFileSync(values['config-file'], 'utf8').replaceAll(
    /\$\((\w+)\)/g,
    (whole, name) => process.env[name] ?? whole,
  );
  if (text !== loaded) {
    writeFileSync(`${target}.new`, text);
    renameSync(`${target}.new`, target);
    if (interval === 0 || (await reload())) loaded = text;
  }
  await sleep(interval);
} while (interval > 0);

async function reload() {
  try {
    const { status } = await fetch(values['reload-url'], { method: 'POST' });
    console.log(`reload: ${status}`);
    return status === 200;
  } catch (error) {
    console.log(`reload: ${error.cause ?? error}`);
    return false;
  }
}
