import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseYaml } from '../../../../src/kubernetes/yaml/read-yaml.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { projectFolder, type ProjectFolder } from '../../compiler/manifests/project-folder.ts';
import { goldenObjects } from './objects.ts';

const file = 'bundle/metadata/annotations.yaml';
const prefix = 'operators.operatorframework.io';
let folder: ProjectFolder;
let fresh: string;
beforeAll(async () => {
  folder = projectFolder({ 'objects.yaml': goldenObjects('nginx-operator') });
  await generate();
  fresh = folder.read(file);
});
afterAll(() => folder.remove());

async function generate(...flags: readonly string[]): Promise<string> {
  const common = ['--version', '0.0.1', '--package', 'nginx-operator', '-f', 'objects.yaml', '--no-sources'];
  const { code, stderr } = await runCli(['generate', 'bundle', ...common, ...flags], { cwd: folder.dir });
  expect(code, stderr).toBe(0);
  return stderr;
}
const annotationsIn = (text: string): unknown =>
  (parseYaml(text, file).value as { readonly annotations: unknown }).annotations;

test('a value that changes is the only line that changes', async () => {
  const edited = `${fresh.replace(/v1: alpha$/m, "v1: 'alpha' # first")}  # Ours.\n  example.com/a: "b"\n`;
  folder.write(file, edited);
  await generate();
  expect(folder.read(file)).toBe(edited);
  await generate('--channels', 'beta');
  expect(folder.read(file)).toBe(edited.replace("'alpha'", 'beta'));
});

test('one that is added, or removed, is a line that comes, or goes', async () => {
  const edited = `${fresh}  # Ours.\n  example.com/a: "b"\n`;
  folder.write(file, edited);
  await generate('--default-channel', 'alpha');
  const line = `  ${prefix}.bundle.channel.default.v1: alpha\n`;
  expect(folder.read(file)).toContain(line);
  expect(folder.read(file).replace(line, '')).toBe(edited);
  await generate();
  expect(folder.read(file)).toBe(edited);
});

test.each([
  ['in one line', `annotations: {example.com/a: b, ${prefix}.test.x: z}\n`],
  ['without a value', '# Ours.\nannotations:\n'],
  ['with an anchor', `annotations: &all\n  example.com/a: &b b\n  ${prefix}.test.x: *b\n`],
  ['of another tool', `annotations:\n  # Core.\n  ${prefix}.metrics.builder: operator-sdk-v1\n`],
])('%s: all annotations are there afterwards', async (_, text) => {
  folder.write(file, text);
  await generate();
  const own = text.includes('example.com/a') ? { 'example.com/a': 'b' } : {};
  expect(annotationsIn(folder.read(file))).toEqual({ ...(annotationsIn(fresh) as object), ...own });
  expect(await generate()).not.toContain('update');
});
