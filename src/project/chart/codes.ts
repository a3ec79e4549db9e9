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
  'chart/cannot-package': {
    title: 'The chart cannot be packaged',
    explain:
      'A package has the files of the chart that .helmignore does not exclude. Chart.yaml must have a name and a semantic version, and each line of .helmignore must be a pattern that Helm accepts. Symbolic links must lead to files and folders of the project. Charts that depend on others are packaged by `helm package`, which obtains them.',
  },
  'chart/version-exists': {
    title: 'A repository has another chart of this version',
    explain:
      'People who have installed a version expect that it stays as it is, and Helm caches packages. The index of the repository has the version with another digest: raise the version, or replace the package with --force.',
  },
  'chart/bad-index': {
    title: 'The index of a repository of charts cannot be read',
    explain:
      'index.yaml in the folder of --repository-index must be an index of Helm: apiVersion v1, and entries by the names of charts. op-sdk adds an entry and keeps the others.',
  },
} satisfies ExplainedCodes;
