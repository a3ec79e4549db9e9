// A second run keeps every edit, brings what is new, and a third run changes nothing: random edits of alerts and panels.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { mergeDashboard, dashboardHashes } from '../../../../src/project/monitoring/merge-dashboard.ts';
import { mergeRules, ruleHashes } from '../../../../src/project/monitoring/merge-rules.ts';
import { setYamlListBlocks, yamlListBlocks, type ListBlock } from '../../../../src/kubernetes/yaml/index.ts';
import { parseYaml } from '../../../../src/kubernetes/yaml/index.ts';
import { runs } from '../../../helpers/thorough.ts';
import { everything, nothing, rendered, type DashboardFile, type Rule, type RuleFile } from './rendered.ts';

const path = ['spec', 'groups', 0, 'rules'] as const;
let before: Awaited<ReturnType<typeof rendered>>;
let after: typeof before;
beforeAll(async () => {
  // From one run to the next a controller, webhooks and metrics come, and a controller goes.
  before = await rendered({ ...nothing, controllers: ['gone', 'memcached'] });
  after = await rendered(everything);
});

const rulesOf = (text: string): readonly Rule[] =>
  (parseYaml(text, 'rules.yaml').value as RuleFile).spec.groups.flatMap(({ rules }) => rules);
const panelsOf = (text: string): DashboardFile['panels'] => (JSON.parse(text) as DashboardFile).panels;

type Edit = 'keep' | 'change' | 'delete' | 'comment';
const edits = fc.array(fc.constantFrom<Edit>('keep', 'keep', 'change', 'delete', 'comment'), {
  minLength: 11,
  maxLength: 11,
});

describe('alerts', () => {
  test('without edits become those of a new project', () => {
    const merged = mergeRules('rules.yaml', before.rules, after.rules, ruleHashes(before.rules));
    expect(merged).toEqual({ content: after.rules, recorded: ruleHashes(after.rules), outdated: [] });
    const back = mergeRules('rules.yaml', after.rules, before.rules, ruleHashes(after.rules));
    expect(back.content).toBe(before.rules);
  });

  test('keep random edits', () => {
    fc.assert(
      fc.property(
        edits,
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 0, max: 11 }),
        (kinds, isReversed, isWindows, added) => {
          const blocks = yamlListBlocks(before.rules, path);
          const edited = blocks.flatMap((block, index): (number | ListBlock)[] => {
            const value = block.value as Rule;
            if (kinds[index] === 'delete') return [];
            if (kinds[index] === 'change')
              return [{ value: { ...value, for: '99m' }, text: block.text.replace(/for: \w+/, 'for: 99m') }];
            if (kinds[index] === 'comment') return [{ value, text: `# ours\n${block.text}` }];
            return [index];
          });
          if (isReversed) edited.reverse();
          const own = { alert: 'Ours', expr: 'up == 0' };
          edited.splice(added, 0, { value: own, text: "- alert: 'Ours' # by hand\n  expr: up == 0" });
          const unix = setYamlListBlocks(before.rules, path, edited);
          const text = isWindows ? unix.replaceAll('\n', '\r\n') : unix;
          const merged = mergeRules('rules.yaml', text, after.rules, ruleHashes(before.rules));
          const names = rulesOf(merged.content).map(({ alert }) => alert);
          expect(merged.content).toContain("- alert: 'Ours' # by hand");
          for (const [index, { value }] of blocks.entries()) {
            const { alert } = value as Rule;
            const found = rulesOf(merged.content).find((rule) => rule.alert === alert);
            if (kinds[index] === 'delete') expect(names).not.toContain(alert);
            else if (kinds[index] === 'change') expect(found?.for).toBe('99m');
            else expect(found).toBeDefined();
          }
          expect(merged.content.split('# ours').length - 1).toBe(
            kinds.filter((kind, index) => kind === 'comment' && index < blocks.length).length,
          );
          // The order of what was there stays, and what is new is there.
          const former = rulesOf(text).map(({ alert }) => alert);
          expect(names.filter((name) => former.includes(name))).toEqual(former);
          expect(names).toEqual(expect.arrayContaining(['OperatorWebhookSlow', 'OperatorWebhookDenying']));
          const again = mergeRules('rules.yaml', merged.content, after.rules, merged.recorded);
          expect(again).toEqual(merged);
          if (isWindows) expect(merged.content.replaceAll('\r\n', '')).not.toContain('\n');
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('are known in other groups, and stay there', () => {
    const text = before.rules.replace(
      '    # A failed reconcile',
      '  - name: ours\n    interval: 1m\n    rules:\n    # A failed reconcile',
    );
    const { content } = mergeRules('rules.yaml', text, after.rules, ruleHashes(before.rules));
    expect(rulesOf(content).map(({ alert }) => alert)).toEqual(
      rulesOf(after.rules).map(({ alert }) => alert),
    );
    expect(content).toContain('  - name: ours\n    interval: 1m\n    rules:\n    # A failed reconcile');
  });

  test('in brackets are the user’s', () => {
    const [first] = rulesOf(before.rules);
    const text = `spec:\n  groups:\n  - name: a\n    rules: [${JSON.stringify(first)}]\n`;
    const recorded = ruleHashes(before.rules);
    expect(mergeRules('rules.yaml', text, before.rules, recorded).content).toBe(text);
    const { content } = mergeRules('rules.yaml', text, after.rules, recorded);
    expect(rulesOf(content).map(({ alert }) => alert)).toContain('OperatorWebhookSlow');
  });

  test.each(['spec: {}\n', 'spec:\n  groups: []\n', 'spec:\n  groups:\n  - name: a\n    rules: []\n'])(
    'are added to %j',
    (text) => {
      const { content } = mergeRules('rules.yaml', text, after.rules, ruleHashes(before.rules));
      expect(rulesOf(content).map(({ alert }) => alert)).toEqual([
        'OperatorWebhookSlow',
        'OperatorWebhookFailing',
        'OperatorWebhookDenying',
      ]);
    },
  );

  test('of which the user has an own version are named', () => {
    const text = before.rules.replace('> 600', '> 60');
    const changed = after.rules.replace('> 600', '> 700');
    const merged = mergeRules('rules.yaml', text, changed, ruleHashes(before.rules));
    expect(merged.outdated).toEqual(['OperatorReconcileStuck']);
    // Without the edit, the next run brings the new version.
    const back = merged.content.replace('> 60', '> 600');
    expect(mergeRules('rules.yaml', back, changed, merged.recorded).content).toBe(changed);
  });
});

describe('the dashboard', () => {
  test('without edits becomes that of a new project', () => {
    const merged = mergeDashboard(
      'd.json',
      before.dashboard,
      after.dashboard,
      dashboardHashes(before.dashboard),
    );
    expect(merged).toEqual({
      content: after.dashboard,
      recorded: dashboardHashes(after.dashboard),
      outdated: [],
    });
    const back = mergeDashboard(
      'd.json',
      after.dashboard,
      before.dashboard,
      dashboardHashes(after.dashboard),
    );
    expect(back.content).toBe(before.dashboard);
  });

  test('keeps random edits', () => {
    const count = panelsOf(before.dashboard).length;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('keep', 'keep', 'keep', 'change', 'delete', 'move'), {
          minLength: count,
          maxLength: count,
        }),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom('  ', '\t', '    '),
        (kinds, isReversed, hasOwn, indent) => {
          const file = JSON.parse(before.dashboard) as Record<string, unknown> & DashboardFile;
          const panels = file.panels.flatMap((panel, index) => {
            if (kinds[index] === 'delete') return [];
            if (kinds[index] === 'change') return [{ ...panel, title: 'Ours' }];
            if (kinds[index] === 'move') return [{ ...panel, gridPos: { ...panel.gridPos, y: 500 + index } }];
            return [panel];
          });
          if (isReversed) panels.reverse();
          const own = { id: 9, type: 'text', title: 'By hand', gridPos: { h: 3, w: 3, x: 0, y: 999 } };
          if (hasOwn) panels.push({ ...own, id: 4_000_000_000 });
          const edited = { ...file, refresh: hasOwn ? '5m' : file['refresh'], version: 7, panels };
          const text = `${JSON.stringify(edited, null, indent)}\n`;
          const merged = mergeDashboard('d.json', text, after.dashboard, dashboardHashes(before.dashboard));
          const result = JSON.parse(merged.content) as typeof edited;
          expect(result).toMatchObject({ refresh: edited.refresh, version: 7 });
          const isMoved = hasOwn || isReversed || kinds.some((kind) => kind === 'delete' || kind === 'move');
          for (const [index, panel] of file.panels.entries()) {
            const found = result.panels.find(({ id }) => id === panel.id);
            if (kinds[index] === 'delete') expect(found).toBeUndefined();
            if (kinds[index] === 'change') expect(found?.title).toBe('Ours');
            if (isMoved && found !== undefined)
              expect(found.gridPos).toEqual(panels.find(({ id }) => id === panel.id)?.gridPos);
          }
          if (hasOwn) expect(result.panels.map(({ title }) => title)).toContain('By hand');
          expect(result.panels.map(({ title }) => title)).toEqual(
            expect.arrayContaining(['Controller memcached-backup', 'Webhooks', 'cache_size_bytes']),
          );
          if (kinds.every((kind) => kind !== 'change'))
            expect(result.panels.map(({ title }) => title)).not.toContain('Controller gone');
          const again = mergeDashboard('d.json', merged.content, after.dashboard, merged.recorded);
          expect(again).toEqual(merged);
          expect(merged.content.startsWith(`{\n${indent}"`)).toBe(true);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('leaves panels in a collapsed row alone', () => {
    const file = JSON.parse(before.dashboard) as DashboardFile;
    const row = file.panels.findIndex(({ title }) => title === 'Controller memcached');
    const collapsed = {
      ...file,
      panels: [
        ...file.panels.slice(0, row),
        { ...file.panels[row], collapsed: true, panels: file.panels.slice(row + 1, row + 7) },
        ...file.panels.slice(row + 7),
      ],
    };
    const text = JSON.stringify(collapsed);
    const merged = mergeDashboard('d.json', text, after.dashboard, dashboardHashes(before.dashboard));
    const titles = panelsOf(merged.content).map(({ title }) => title);
    expect(titles).toContain('Webhooks');
    expect(titles.filter((title) => title === 'Reconciles by result')).toHaveLength(1);
    expect(merged.content).toContain('"collapsed": true');
    expect(mergeDashboard('d.json', merged.content, after.dashboard, merged.recorded)).toEqual(merged);
  });
});
