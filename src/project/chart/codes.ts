import type { ExplainedCodes } from '../../base/errors/index.ts';

export const chartCodes = {
  'chart/no-manager': {
    title: 'The objects have no Deployment of the operator',
    explain:
      'A chart makes the settings of the Deployment of the operator into values. The objects of config/default have no Deployment: its kustomization has to name config/manager.',
  },
  'chart/bad-record': {
    title: 'The record of the last chart cannot be read',
    explain:
      '`op-sdk generate helm` keeps the files as it wrote them last in .op-sdk/output.json, to tell edits from output. The record is damaged. Restore it, or write the chart again with --force.',
  },
  'chart/conflict': {
    title: 'A file of the chart was changed on both sides',
    explain:
      'Somebody has edited lines of the chart that op-sdk writes differently now. The file has both, between marks as git writes them: choose, and remove the marks. Helm does not read the chart before.',
  },
} satisfies ExplainedCodes;
