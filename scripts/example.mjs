// `npm run example -- NAME`: an example with its operator, a control plane and nodes on this machine, without root, and a short story
// about it in the terminal. Without a name: the examples. `--keep` leaves everything running after the story, until Ctrl-C.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';

const usage = 'npm run example -- NAME [--keep]';

let options;
try {
  options = parseArgs({ allowPositionals: true, options: { keep: { type: 'boolean', default: false } } });
} catch (error) {
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
if (options !== undefined) await main(options.positionals, options.values.keep);

async function main(names, keep) {
  // First of all: everything below may be missing in a fresh clone, `yaml` included.
  await ensureDependencies();
  const { stories } = await import('./examples/stories.mjs');
  const [name] = names;
  if (name === undefined) {
    const width = Math.max(...Object.keys(stories).map((each) => each.length));
    for (const [each, { shows }] of Object.entries(stories)) console.log(`${each.padEnd(width)}  ${shows}`);
    console.log(`\n${usage}`);
  } else if (names.length > 1 || stories[name] === undefined) {
    const known = Object.keys(stories).join(', ');
    console.error(`expected one example, got ${names.join(' ')}: ${known}\n${usage}`);
    process.exitCode = 2;
  } else await play(name, stories[name], keep);
}

async function play(name, story, keep) {
  const stop = new AbortController();
  let isPlayed = false;
  let endLingering = () => undefined;
  const onSignal = () => {
    if (isPlayed) endLingering();
    else stop.abort(new Error('interrupted'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-example-'));
  try {
    const { prepareStory } = await import('./examples/prepare-story.mjs');
    await ensureBuild();
    process.env.KUBEBUILDER_ASSETS = await ensureControlPlane();
    const { createLinkedExample } = await import('./lib/example-projects.mjs');
    const { tellStory } = await import('./examples/storyteller.mjs');
    const project = join(scratch, name);
    await createLinkedExample(name, project);
    const programs = await prepareStory(story, project);
    console.log();
    const linger = async () => {
      isPlayed = true;
      if (!keep) return;
      console.log(`\nIt goes on in ${project}. Ctrl-C ends it.`);
      const alive = setInterval(() => undefined, 60_000);
      await new Promise((resolve) => (endLingering = resolve));
      clearInterval(alive);
    };
    const write = (text) => void process.stdout.write(text);
    await tellStory(story, { project, write, programs, signal: stop.signal, linger });
  } catch (error) {
    console.error(`\n${name}: ${stop.signal.aborted ? 'interrupted' : error.message}`);
    process.exitCode = stop.signal.aborted ? 130 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, onSignal);
  }
}
