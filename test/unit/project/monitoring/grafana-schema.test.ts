// The dashboard is compiled as a value of the types that Grafana publishes, the options of its panels included.
import ts from 'typescript';
import { expect, test } from 'vitest';
import { repository } from '../../compiler/manifests/project-folder.ts';
import { rendered, type DashboardFile } from './rendered.ts';

const types = (panel: string, file: string): string =>
  `@grafana/schema/dist/esm/raw/composable/${panel}/panelcfg/x/${file}PanelCfg_types.gen`;

/** Enumerations of Grafana's types are texts in JSON. */
const prelude = `import type { Dashboard } from '@grafana/schema';
import type { Options as Stat } from '${types('stat', 'Stat')}';
import type { Options as TimeSeries, FieldConfig as TimeSeriesFields } from '${types('timeseries', 'TimeSeries')}';
import type { Options as Timeline, FieldConfig as TimelineFields } from '${types('statetimeline', 'StateTimeline')}';
type Plain<T> = T extends string ? \`\${T}\` : T extends number ? number : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
`;

function diagnosticsOf(source: string): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const file = `${repository}dashboard-of-a-test.ts`;
  const disk = ts.createCompilerHost(options);
  host.fileExists = (path) => path === file || disk.fileExists(path);
  host.readFile = (path) => (path === file ? source : disk.readFile(path));
  host.getSourceFile = (path, target) =>
    path === file ? ts.createSourceFile(path, source, target) : disk.getSourceFile(path, target);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function sourceOf(dashboard: string): string {
  const { panels } = JSON.parse(dashboard) as DashboardFile;
  const typed = {
    stat: ['Stat'],
    timeseries: ['TimeSeries', 'TimeSeriesFields'],
    'state-timeline': ['Timeline', 'TimelineFields'],
  };
  const options = panels.flatMap(({ type, options, fieldConfig }, index) => {
    const [of, fields] = typed[type as keyof typeof typed] ?? [];
    return [
      ...(of === undefined ? [] : [`export const o${index}: Plain<${of}> = ${JSON.stringify(options)};`]),
      ...(fields === undefined
        ? []
        : [`export const f${index}: Plain<${fields}> = ${JSON.stringify(fieldConfig?.defaults.custom)};`]),
    ];
  });
  return [prelude, `export const dashboard: Plain<Dashboard> = ${dashboard};`, ...options].join('\n');
}

test('is a dashboard of Grafana’s schema', { timeout: 240_000 }, async () => {
  expect(diagnosticsOf(sourceOf((await rendered()).dashboard))).toEqual([]);
});

test('would not be one with a field that Grafana does not have', { timeout: 240_000 }, async () => {
  const { dashboard } = await rendered();
  const wrong = dashboard
    .replace('"graphMode"', '"graphModus"')
    .replace('"collapsed": false', '"collapsed": "no"');
  expect(diagnosticsOf(sourceOf(wrong)).join('\n')).toMatch(/graphModus/);
});
