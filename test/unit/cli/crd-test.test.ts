// Cases for the CustomResourceDefinitions of a project, on the API server in memory.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';
import { ScaffoldedProjects, type ScaffoldedProject } from '../../helpers/scaffolded-project.ts';

const projects = new ScaffoldedProjects();
afterAll(() => projects.remove());

const types = 'src/api/cache/v1/redis.ts';
const file = 'test/crds/cache/redis.yaml';
const base = `base: { apiVersion: cache.example.com/v1, kind: Redis, spec: { size: 2 } }\n`;
let project: ScaffoldedProject;
beforeAll(async () => {
  project = await projects.create();
  const flags = ['--group', 'cache', '--version', 'v1', '--kind', 'Redis', '--controller=false'];
  await project.done(['create', 'api', ...flags]);
  project.edit(types, (text) =>
    text
      .replace('type Condition,', 'type Condition, type Int32,')
      .replace(
        /  \/\*\* Foo [^*]*\*\/\n  foo\?: string;/,
        '  /** @minimum 1 */\n  size: Int32;\n  /** @default "small" */\n  class?: string;\n  names?: ListMap<{ name: string }, "name">;',
      ),
  );
});

interface Case {
  readonly name: string;
  readonly passed: boolean;
  readonly problems: readonly string[];
  readonly causes: readonly { readonly field?: string; readonly message: string }[];
  readonly source?: { readonly file: string; readonly line: number };
}

/** Runs cases. @returns the exit code and the cases, by name */
async function run(text: string, ...flags: string[]): Promise<{ code: number; of: (name: string) => Case }> {
  project.write(file, base + text);
  const { code, stdout } = await runCli(['crd', 'test', '-o', 'json', ...flags], { cwd: project.folder });
  const { result } = JSON.parse(stdout) as { readonly result: { readonly cases: readonly Case[] } };
  return {
    code,
    of: (name) => result.cases.find((each) => each.name === name) ?? expect.fail(`no case ${name}`),
  };
}

describe('crd test', () => {
  test('evaluates the rules of CEL', async () => {
    const before = project.read(types);
    project.edit(types, (text) =>
      text
        .replace('  size: Int32;', '  size: Int32;\n  /** @immutable */\n  owner?: string;')
        .replace(
          'export interface RedisSpec',
          '/** @cel self.size < 9 || has(self.owner) : "a big one needs an owner" */\nexport interface RedisSpec',
        ),
    );
    const { code, of } = await run(`
valid:
- { name: owned, object: { spec: { size: 10, owner: Ada } } }
- { name: wrong case, object: { spec: { size: 10 } } }
invalid:
- { name: big, object: { spec: { size: 10 } }, field: spec, message: a big one needs an owner }
update:
- { name: grows, from: { spec: { owner: Ada } }, to: { spec: { size: 5 } } }
- { name: sold, from: { spec: { owner: Ada } }, to: { spec: { owner: Grace } }, field: spec.owner }
`);
    project.write(types, before);
    expect(code).toBe(1);
    expect(['owned', 'big', 'grows', 'sold'].map((name) => of(name).passed)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(of('wrong case').causes).toEqual([
      { field: 'spec', message: expect.stringContaining('a big one needs an owner') as string },
    ]);
  });

  test('accepts, refuses, completes and drops as the cases say', async () => {
    const text = `
valid:
- { name: defaults, object: {}, stored: { spec: { class: small, size: 2 } } }
- { name: removed, object: { spec: { class: null } }, stored: { spec: { class: small } } }
- { name: dropped, object: { spec: { note: x, names: [{ name: a, more: 1 }] } }, pruned: [spec.note, 'spec.names[0].more'] }
- { name: status, object: { status: { conditions: [] } }, stored: { status: { conditions: [] } } }
- { name: finalizers, object: { metadata: { name: kept, finalizers: [example.com/a] } } }
- { name: again, object: { metadata: { name: kept } } }
invalid:
- { name: too small, object: { spec: { size: 0 } }, field: spec.size, message: greater than or equal to 1 }
- { name: twice, object: { spec: { names: [{ name: a }, { name: a }] } }, field: 'spec.names[1]', message: Duplicate }
- { name: unknown, object: { spec: { note: x } }, field: spec.note }
- { name: bad status, object: { status: { conditions: [{ type: A }] } }, field: 'status.conditions[0].status' }
- { name: bad name, object: { metadata: { name: A_B } }, field: metadata.name }
update:
- { name: grows, to: { spec: { size: 5 } }, stored: { spec: { size: 5 } } }
- { name: shrinks, from: { spec: { size: 5 } }, to: { spec: { size: 0 } }, field: spec.size }
- { name: fails, to: { status: { conditions: 5 } }, field: status.conditions }
`;
    project.write(file, base + text);
    const { code, stdout } = await runCli(['crd', 'test'], { cwd: project.folder });
    expect(stdout).toBe('14 passed, 0 failed\n');
    expect(code).toBe(0);
  });

  test('says what was expected, what the API server says, and where the field is declared', async () => {
    const { code, of } = await run(`
valid:
- { name: refused, object: { spec: { size: 0 } } }
- { name: stored otherwise, object: {}, stored: { spec: { class: big }, other: 1 } }
- { name: not dropped, object: {}, pruned: [spec.size, spec.note] }
invalid:
- { name: valid, object: {}, field: spec.size, message: too small }
- { name: another reason, object: { spec: { size: 0 } }, field: spec.class }
update:
- { name: from, from: { spec: { size: 0 } }, to: {} }
`);
    expect(code).toBe(1);
    expect(of('refused')).toMatchObject({
      problems: ['expected a valid object, but it is refused'],
      causes: [{ field: 'spec.size' }],
      source: { file: types },
    });
    expect(project.read(types).split('\n')[(of('refused').source?.line ?? 0) - 1]).toBe('  size: Int32;');
    expect(of('stored otherwise').problems).toEqual([
      'spec.class: expected "big", got "small"',
      'other: expected 1, got nothing',
    ]);
    expect(of('not dropped').problems).toEqual([
      'spec.size: expected to be dropped, got 2',
      'spec.note: expected to be dropped, but the case does not send it',
    ]);
    expect(of('valid').problems).toEqual([
      'expected a refusal of spec.size with "too small", got none: the object is valid',
    ]);
    expect(of('another reason').problems).toEqual(['expected a refusal of spec.class, got another one']);
    expect(of('from').problems).toEqual(['`from` is refused']);
  });

  test("prints JUnit's XML", async () => {
    project.write(file, `${base}invalid:\n- { name: "a <b>", object: {}, field: spec.size }\n`);
    const { stdout } = await runCli(['crd', 'test', '-o', 'junit'], { cwd: project.folder });
    expect(stdout).toContain('<testsuites name="op-sdk crd test" tests="1" failures="1" errors="0">');
    expect(stdout).toContain('name="invalid: a &lt;b&gt;"');
    expect(stdout).toContain(
      '<failure message="expected a refusal of spec.size, got none: the object is valid">',
    );
  });

  test('tests definitions of files', async () => {
    project.write(file, `${base}valid:\n- { name: a, object: {} }\n`);
    await project.done(['generate', 'manifests']);
    const argv = ['crd', 'test', '--crds', 'config/crd/bases', file];
    expect((await project.done(argv)).stdout).toBe('1 passed, 0 failed\n');
  });

  test('reports all faults of all files, with their places', async () => {
    project.write(file, `${base}invalid:\n- { name: a, object: {} }\n- { name: b, objekt: {} }\n`);
    project.write('test/crds/other/thing.yaml', 'valid:\n- { name: c, object: { kind: Thing } }\n');
    const findings = await project.refused(['crd', 'test']);
    project.write('test/crds/other/thing.yaml', '');
    expect(findings.map(({ where }) => where)).toEqual([
      ...[
        { file, line: 4, column: 14 },
        { file, line: 4, column: 3 },
      ],
      ...[
        { file, line: 3, column: 3 },
        { file, line: 4, column: 3 },
      ],
      { file: 'test/crds/other/thing.yaml', line: 2, column: 3 },
    ]);
    expect(new Set(findings.map((finding) => finding.code))).toEqual(new Set(['crdtest/invalid-case']));
  });

  test.each([
    ['no case', '', [], 'crdtest/no-cases'],
    [
      'a kind that is not defined',
      'valid:\n- { name: a, object: { kind: Other } }\n',
      [],
      'crdtest/unknown-kind',
    ],
    ['a file that is not there', '', ['nowhere.yaml'], 'io/not-found'],
  ])('refuses %s', async (_name, text, names, code) => {
    project.write(file, base + text);
    expect((await project.refused(['crd', 'test', ...names])).map((finding) => finding.code)).toEqual([code]);
  });
});
