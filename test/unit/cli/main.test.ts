import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

describe('version', () => {
  test.each([['version'], ['--version'], ['-V']])('%s prints the version of the package', async (word) => {
    const run = await runCli([word]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toBe(
      `op-sdk ${version} (node ${process.version}, ${process.platform}/${process.arch})\n`,
    );
  });

  test.each([
    [['version', '-o', 'json']],
    [['-o', 'json', 'version']],
    [['version', '--output=json']],
    [['version', '-qojson']],
    [['-o', 'json', '--version']],
  ])('%j prints one JSON document', async (argv) => {
    const run = await runCli(argv);
    expect(JSON.parse(run.stdout)).toEqual({
      ok: true,
      result: { version, node: process.version, platform: process.platform, arch: process.arch },
      warnings: [],
      errors: [],
    });
    expect(run.code).toBe(0);
  });
});

describe('help', () => {
  test('--help lists the commands on stdout', async () => {
    const run = await runCli(['--help']);
    expect(run.code).toBe(0);
    for (const word of ['init', 'create', 'generate', 'build', 'testenv', 'version'])
      expect(run.stdout).toMatch(new RegExp(`^  ${word}`, 'm'));
  });

  test.each([[['create', 'api', '--help']], [['help', 'version']], [['testenv', 'run', '-h']]])(
    '%j exits 0',
    async (argv) => {
      const run = await runCli(argv);
      expect(run.code).toBe(0);
      expect(run.stdout).toContain('Usage: op-sdk');
    },
  );

  test.each([[['help', 'create', 'api']], [['create', 'help', 'api']], [['help', 'create', 'api', '-q']]])(
    '%j is the help of the command, with its flags',
    async (argv) => {
      const run = await runCli(argv);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(run.stdout).toContain('--group <group>');
    },
  );

  test.each([
    [['help', 'crate'], "unknown command 'crate'", 'did you mean create?'],
    [['help', 'create', 'apis'], "unknown command 'apis'", 'did you mean api?'],
  ])('%j is an unknown command', async (argv, message, fix) => {
    const run = await runCli(argv);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`error[cli/unknown-command]: ${message}\n  fix: ${fix}`);
  });

  test.each([[['-o', 'json']], [['create', '-o', 'json']]])('%j is an error in JSON', async (argv) => {
    const run = await runCli(argv);
    expect(run).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, errors: [{ code: 'cli/missing-value' }] });
  });

  test.each([
    [['crd', 'diff'], 'give OLD: a file, a folder', 'for example: op-sdk crd diff config/crd/bases project'],
    [['registry', 'login'], 'give REGISTRY: host, and port if there is one', 'op-sdk registry login'],
  ])('%j without its arguments says what to give, with an example', async (argv, given, example) => {
    const run = await runCli(argv);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('error[cli/missing-value]');
    expect(run.stderr).toContain(given);
    expect(run.stderr).toContain(example);
  });

  test('a group without a command prints its help and exits 2', async () => {
    const run = await runCli(['create']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Usage: op-sdk create');
  });

  test('no command at all prints the help and exits 2', async () => {
    const run = await runCli([]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('Usage: op-sdk');
  });
});

describe('flags of every command take all boolean forms', () => {
  test.each(
    ['quiet', 'verbose', 'color'].flatMap((name) =>
      [`--${name}`, `--${name}=true`, `--${name}=false`, `--no-${name}`].map((flag) => [flag]),
    ),
  )('%s', async (flag) => {
    expect(await runCli(['version', flag])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('wrong usage exits 2 with a coded finding', () => {
  test('an unknown command, with the one that was meant', async () => {
    const run = await runCli(['verison']);
    expect(run.code).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain("error[cli/unknown-command]: unknown command 'verison'");
    expect(run.stderr).toContain('fix: did you mean version?');
  });

  test('an unknown command of a group', async () => {
    const run = await runCli(['create', 'apis']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('cli/unknown-command');
    expect(run.stderr).toContain('did you mean api?');
  });

  test('an unknown flag, with the one that was meant', async () => {
    const run = await runCli(['version', '--quite']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("error[cli/unknown-flag]: unknown option '--quite'");
    expect(run.stderr).toContain('did you mean --quiet?');
  });

  test('an argument too many', async () => {
    const run = await runCli(['version', 'now']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('cli/unexpected-argument');
  });

  test('a wrong value names its flag and the help of its command', async () => {
    const run = await runCli(['generate', 'manifests', '--only', 'crds']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('\n  at --only\n  fix: see op-sdk generate manifests --help\n');
  });

  test('an output format that does not exist', async () => {
    const run = await runCli(['version', '-o', 'yaml']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('cli/invalid-value');
  });

  test('with -o json the findings are one document on stdout', async () => {
    const run = await runCli(['version', '--quite', '-o', 'json']);
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      result: null,
      errors: [{ code: 'cli/unknown-flag' }],
    });
    expect(run.stderr).toBe('');
  });
});

describe('with -o json', () => {
  test('an interrupt is one document too, exit 130', async () => {
    const abort = new AbortController();
    abort.abort(new Error('interrupted'));
    const run = await runCli(['generate', 'manifests', '-o', 'json'], { signal: abort.signal, cwd: '/' });
    expect(run.code).toBe(130);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, errors: [{ code: 'cli/interrupted' }] });
  });

  test('a defect is one document too, exit 70, with the stack on stderr', async () => {
    const env = new Proxy(
      {},
      {
        get() {
          throw new TypeError('no environment');
        },
      },
    );
    const run = await runCli(['testenv', 'list', '-o', 'json'], { env });
    expect(run.code).toBe(70);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, errors: [{ code: 'cli/defect' }] });
    expect(run.stderr).toContain('this is a defect');
  });
});
