/**
 * Helm charts of operators: the objects of `deploy` as templates, with the settings of a release as values. A release with the chart's
 * name in deploy's namespace has deploy's objects. The chart keeps a record of what was written, so that edits are merged with later runs.
 */
export { chartCodes } from './codes.ts';
export { renderChart, type ChartFile, type ChartInput } from './chart.ts';
export { chartFolder, recordPath } from './last-output.ts';
export { planChart, type PlannedChart } from './plan-chart.ts';
export { packageChart, type ChartPackage } from './package.ts';
export { indexFile, withPackage } from './repository-index.ts';
export { chartArtifact } from './registry-artifact.ts';
