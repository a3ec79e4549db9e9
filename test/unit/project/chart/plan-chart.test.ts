import { describe, expect, test } from 'vitest';
import { planChart, type PlannedChart } from '../../../../src/project/chart/index.ts';
import { keepEdited } from '../../../../src/project/scaffold/index.ts';

const first = {
  'Chart.yaml': 'name: web\n',
  'values.yaml': 'replicas: 1\n',
  'templates/a.yaml': 'a\nb\nc\nd\ne\n',
};

/** A folder with a chart, in memory. */
class Folder {
  readonly files = new Map<string, string>();

  plan(files: Readonly<Record<string, string>>, force = false): Promise<PlannedChart> {
    return planChart({
      files: Object.entries(files).map(([path, content]) => ({ path, content })),
      folder: 'chart',
      read: (path) => Promise.resolve(this.files.get(path)),
      force,
    });
  }

  async run(files: Readonly<Record<string, string>>, force = false): Promise<PlannedChart> {
    const plan = await this.plan(files, force);
    const paths = new Set(Object.keys(files).map((path) => `chart/${path}`));
    const kept = await keepEdited({ root: '/nowhere', changes: plan.changes }, paths, plan.recorded);
    for (const change of force ? kept.plan.changes : plan.changes) {
      if (change.action === 'delete') this.files.delete(change.path);
      else if (change.action !== 'unchanged') this.files.set(change.path, String(change.content));
    }
    return plan;
  }

  get(path: string): string | undefined {
    return this.files.get(`chart/${path}`);
  }

  set(path: string, content: string): void {
    this.files.set(`chart/${path}`, content);
  }
}

async function written(): Promise<Folder> {
  const folder = new Folder();
  await folder.run(first);
  return folder;
}

function actionsOf({ changes }: PlannedChart): readonly string[] {
  return changes
    .filter(({ action }) => action !== 'unchanged')
    .map(({ action, path }) => `${action} ${path}`);
}

describe('a chart that is written again', () => {
  test('changes nothing if nothing has changed', async () => {
    const folder = await written();
    expect(actionsOf(await folder.run(first))).toEqual([]);
  });

  test('replaces, creates and deletes files that nobody has edited', async () => {
    const folder = await written();
    const { 'templates/a.yaml': _gone, ...rest } = first;
    const plan = await folder.run({ ...rest, 'Chart.yaml': 'name: other\n', 'templates/b.yaml': 'b\n' });
    expect(actionsOf(plan)).toEqual([
      'update chart/.op-sdk/output.json',
      'update chart/Chart.yaml',
      'delete chart/templates/a.yaml',
      'create chart/templates/b.yaml',
    ]);
  });

  test('merges edits with what is new', async () => {
    const folder = await written();
    folder.set('templates/a.yaml', 'a\nmine\nb\nc\nd\ne\n');
    const { conflicts } = await folder.run({ ...first, 'templates/a.yaml': 'a\nb\nc\nd\nours\n' });
    expect(folder.get('templates/a.yaml')).toBe('a\nmine\nb\nc\nd\nours\n');
    expect(conflicts).toEqual([]);
    expect(actionsOf(await folder.run({ ...first, 'templates/a.yaml': 'a\nb\nc\nd\nours\n' }))).toEqual([]);
  });

  test('marks what both sides have changed, and says so until the marks are gone', async () => {
    const folder = await written();
    folder.set('templates/a.yaml', 'a\nb\nmine\nd\ne\n');
    const files = { ...first, 'templates/a.yaml': 'a\nb\nours\nd\ne\n' };
    const { conflicts } = await folder.run(files);
    expect(folder.get('templates/a.yaml')).toBe(
      'a\nb\n<<<<<<< edited\nmine\n=======\nours\n>>>>>>> op-sdk\nd\ne\n',
    );
    expect(conflicts).toMatchObject([{ code: 'chart/conflict', where: { file: 'chart/templates/a.yaml' } }]);
    const again = await folder.run(files);
    expect([actionsOf(again), again.conflicts]).toEqual([[], conflicts]);
    folder.set('templates/a.yaml', 'a\nb\nmine\nd\ne\n');
    expect((await folder.run(files)).conflicts).toEqual([]);
    expect(folder.get('templates/a.yaml')).toBe('a\nb\nmine\nd\ne\n');
  });

  test('keeps values that somebody has set, with their comments', async () => {
    const folder = await written();
    folder.set('values.yaml', '# ours\nreplicas: 3 # three zones\n');
    const files = { ...first, 'values.yaml': 'replicas: 2\n# A list.\nextraArgs: []\n' };
    const { notes, conflicts } = await folder.run(files);
    expect(folder.get('values.yaml')).toBe('# ours\nextraArgs: []\nreplicas: 3 # three zones\n');
    expect(conflicts).toEqual([]);
    expect(notes).toEqual(['chart/values.yaml keeps your replicas, for which op-sdk has another value now.']);
  });

  test('replaces lists and maps beside values that somebody has set', async () => {
    const folder = new Folder();
    await folder.run({ ...first, 'values.yaml': 'replicas: 1\ntolerations: []\nnodeSelector:\n  a: b\n' });
    folder.set('values.yaml', 'replicas: 3\ntolerations: [] # none\nnodeSelector:\n  a: b\n');
    const values = 'replicas: 2\ntolerations:\n- operator: Exists\nnodeSelector: {}\n';
    await folder.run({ ...first, 'values.yaml': values });
    expect(folder.get('values.yaml')).toBe(
      'replicas: 3\ntolerations: # none\n- operator: Exists\nnodeSelector: {}\n',
    );
  });

  test('leaves deleted files deleted, and keeps edited ones whose object is gone', async () => {
    const folder = await written();
    folder.files.delete('chart/Chart.yaml');
    folder.set('templates/a.yaml', 'mine\n');
    const { notes, changes } = await folder.run({
      'Chart.yaml': 'name: other\n',
      'values.yaml': 'replicas: 1\n',
    });
    expect(notes).toEqual([
      'chart/Chart.yaml was deleted and stays so; --force writes it again.',
      'chart/templates/a.yaml was edited, but deploy no longer has its object: delete it, or keep it as yours.',
    ]);
    expect(changes.map(({ path }) => path)).not.toContain('chart/templates/a.yaml');
  });

  test('refuses files of others, all at once, and keeps copies of them with --force', async () => {
    const folder = new Folder();
    folder.set('Chart.yaml', 'theirs\n');
    folder.set('values.yaml', 'theirs: 1\n');
    await expect(folder.plan(first)).rejects.toMatchObject({
      findings: [
        { code: 'scaffold/file-exists', where: { file: 'chart/Chart.yaml' } },
        { code: 'scaffold/file-exists', where: { file: 'chart/values.yaml' } },
      ],
    });
    await folder.run(first, true);
    expect(folder.get('Chart.yaml')).toBe(first['Chart.yaml']);
    expect([...folder.files.values()]).toContain('theirs\n');
  });

  test('refuses a damaged record', async () => {
    const folder = await written();
    folder.set('.op-sdk/output.json', '{"format":1,"files":"AAAA"}');
    await expect(folder.plan(first)).rejects.toMatchObject({ findings: [{ code: 'chart/bad-record' }] });
  });

  test('takes line ends of Windows for what they are', async () => {
    const folder = await written();
    folder.set('templates/a.yaml', first['templates/a.yaml'].replaceAll('\n', '\r\n'));
    expect(actionsOf(await folder.run(first))).toEqual([]);
  });
});
