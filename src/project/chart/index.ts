/**
 * Helm charts of operators: the objects of `deploy` as templates, with the settings of a release as values. A release with the name of the
 * chart, in the namespace of `deploy`, has the same objects as `deploy`. The chart contains a record of the generated files, with which
 * later runs merge the user's edits.
 */
export { chartCodes } from './codes.ts';
export { renderChart, type ChartFile, type ChartInput } from './chart.ts';
export { chartFolder, recordPath } from './last-output.ts';
export { planChart, type PlannedChart } from './plan-chart.ts';
export { packageChart, type ChartPackage } from './package.ts';
export { indexFile, withPackage } from './repository-index.ts';
export { chartArtifact } from './registry-artifact.ts';
