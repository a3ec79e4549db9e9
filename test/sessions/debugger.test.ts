// A breakpoint in a TypeScript source, through the inspector's protocol, in the ways of the scaffolded launch.json. Runs dist/.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { sharedControlPlane, uniqueName, type SharedControlPlane } from '../helpers/control-plane.ts';
import { edit, scaffoldProject, startDev, type DevProcess } from '../helpers/dev-process.ts';
import { attachInspector, type InspectorClient } from '../helpers/inspector-client.ts';
import { runCli } from '../helpers/run-cli.ts';

interface Configuration {
  readonly request: 'launch' | 'attach';
  readonly program: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly outFiles: readonly string[];
}

let plane: SharedControlPlane;
let scratch: string;
let project: string;
let group: string;
let launch: Configuration;
let attach: Configuration;
const controller = (): string => `src/controllers/${group}/memcached.ts`;
const quiet = ['--', '--metrics-bind-address=0', '--health-probe-bind-address=0'];

beforeAll(async () => {
  plane = await sharedControlPlane();
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-debug-'));
  group = uniqueName('debug');
  project = join(scratch, 'a project');
  await scaffoldProject(project, { group });
  const text = readFileSync(join(project, '.vscode/launch.json'), 'utf8');
  const filled = text.replaceAll('${workspaceFolder}', project);
  const { configurations } = JSON.parse(filled) as { configurations: Configuration[] };
  [launch, attach] = ['launch', 'attach'].map(
    (request) => configurations.find((each) => each.request === request) ?? expect.fail(request),
  ) as [Configuration, Configuration];
});
afterAll(async () => {
  await runCli(['uninstall', '--kubeconfig', plane.kubeconfig, '--yes'], { cwd: project, env: process.env });
  rmSync(scratch, { recursive: true, force: true });
});

/** Where a line of a source is in the bundle, by its source map, as a debugger finds it. */
function generatedPlace(bundle: string, source: string, line: number) {
  const text = readFileSync(bundle, 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')) as SourceMapPayload);
  for (const [lineNumber, content] of text.split('\n').entries()) {
    for (let columnNumber = 0; columnNumber < content.length; columnNumber++) {
      const { originalSource, originalLine } = map.findEntry(lineNumber, columnNumber) as {
        originalSource?: string;
        originalLine?: number;
      };
      if (originalLine === line && resolve(dirname(bundle), originalSource ?? '') === source)
        return { lineNumber, columnNumber };
    }
  }
  return expect.fail(`line ${line} of ${source} is not in the source map`);
}

/** Sets a breakpoint where reconcile writes the status, lets the operator go on, and stops there. */
async function stopInReconcile(inspector: InspectorClient): Promise<void> {
  const source = join(project, controller());
  const line = readFileSync(source, 'utf8')
    .split('\n')
    .findIndex((text) => text.includes('await client.applyStatus('));
  const bundle = join(project, 'dist/dev.mjs');
  // Where VS Code looks for bundles.
  expect(launch.outFiles).toEqual([`${project}/dist/**/*.mjs`]);
  expect(attach.outFiles).toEqual(launch.outFiles);
  await inspector.call('Debugger.enable');
  const { breakpointId } = await inspector.call('Debugger.setBreakpointByUrl', {
    url: pathToFileURL(bundle).href,
    ...generatedPlace(bundle, source, line),
  });
  await inspector.call('Runtime.runIfWaitingForDebugger');
  for (;;) {
    const { hitBreakpoints, callFrames } = (await inspector.event('Debugger.paused')) as {
      hitBreakpoints: string[];
      callFrames: { functionName: string; callFrameId: string }[];
    };
    // The first line, where --inspect-brk stops.
    if (!hitBreakpoints.includes(breakpointId as string)) {
      await inspector.call('Debugger.resume');
      continue;
    }
    expect(callFrames[0]?.functionName).toBe('reconcile');
    const { result } = await inspector.call('Debugger.evaluateOnCallFrame', {
      callFrameId: callFrames[0]?.callFrameId,
      expression: 'memcached.metadata.name',
    });
    expect(result).toMatchObject({ value: 'memcached-sample' });
    return;
  }
}

/** A stopped operator ends too: it is killed. */
async function endsAt(dev: DevProcess): Promise<void> {
  expect(await dev.stop()).toBe(0);
  expect(dev.output()).toContain('and was killed');
}

describe('a breakpoint in reconcile stops', () => {
  test('with op-sdk dev --inspect-brk, again after a restart', async () => {
    const port = await freePort();
    const flags = ['--samples', '--kubeconfig', plane.kubeconfig, `--inspect-brk=127.0.0.1:${port}`];
    await using dev = startDev(project, ['dev', ...flags, ...quiet]);
    await dev.next('Debugger listening on');
    {
      using inspector = await attachInspector(port);
      await stopInReconcile(inspector);
      await inspector.call('Debugger.resume');
    }
    await dev.next('Ready=True');
    // The lines of the source have moved.
    edit(project, controller(), 'export function', '\n\n\nexport function');
    await dev.next('Debugger listening on');
    using inspector = await attachInspector(port);
    await stopInReconcile(inspector);
    await endsAt(dev);
  });

  test('with op-sdk run --inspect-brk', async () => {
    const port = await freePort();
    const flags = ['--kubeconfig', plane.kubeconfig, `--inspect-brk=${port}`];
    await using run = startDev(project, ['run', ...flags, ...quiet]);
    await run.next('Debugger listening on');
    {
      using inspector = await attachInspector(port);
      await stopInReconcile(inspector);
      await inspector.call('Debugger.resume');
    }
    await run.next('Starting workers');
    expect(await run.stop()).toBe(0);
  });

  test('when VS Code launches op-sdk dev and attaches to the processes below it', async () => {
    const port = await freePort();
    // VS Code does the same: a module in NODE_OPTIONS, which every process of Node below the first one inherits.
    const hook = join(scratch, 'attach.cjs');
    writeFileSync(
      hook,
      `if (/dist.dev\\.mjs$/.test(process.argv[1])) require('node:inspector').open(${port}, '127.0.0.1', true);`,
    );
    const env = { ...process.env, NODE_OPTIONS: `--require ${JSON.stringify(hook)}` };
    const args = [...launch.args, '--kubeconfig', plane.kubeconfig, ...quiet];
    await using dev = startDev(project, args, { env, program: launch.program });
    await dev.next('Debugger listening on');
    {
      using inspector = await attachInspector(port);
      await stopInReconcile(inspector);
      await inspector.call('Debugger.resume');
    }
    await dev.next('Starting workers');
    expect(await dev.stop()).toBe(0);
  });
});

test('launch.json attaches where Node listens unless it is given another address', async () => {
  expect(attach.port).toBe(9229);
  const { stdout } = await runCli(['dev', '--help']);
  expect(stdout).toContain('127.0.0.1:9229');
});
