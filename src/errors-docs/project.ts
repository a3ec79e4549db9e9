import type { ProjectCode } from '../errors/index.ts';
import type { Explanation } from './explanation.ts';

export const projectExplanations = {
  'project/not-found': {
    title: 'The PROJECT file is missing',
    explain:
      'The command works inside an operator project, and a project is a folder with a file named PROJECT. Change into the project folder, or create one with `op-sdk init`.',
  },
  'project/already-exists': {
    title: 'The folder is a project already',
    explain:
      '`op-sdk init` creates new projects and does not touch existing ones. Use an empty folder, or `op-sdk create api` to add a kind to this project.',
  },
  'project/unsupported-version': {
    title: 'The PROJECT file has a version that op-sdk does not read',
    explain:
      'op-sdk reads PROJECT files of version "3". Version 2 files come from Operator SDK projects older than v1.0 and have another shape.',
  },
  'project/foreign-layout': {
    title: 'The project was created by another tool',
    explain:
      'The layout in PROJECT does not name typescript.opsdk.dev/v1, so its files are not where op-sdk expects them. Create a new project next to it and move the manifests there.',
  },
  'project/invalid': {
    title: 'A value in PROJECT is missing or has the wrong form',
    explain:
      'PROJECT follows the version 3 schema of kubebuilder. The message names the key, the value, and what is allowed.',
  },
  'project/duplicate-resource': {
    title: 'PROJECT lists a resource twice',
    explain: 'Group, version and kind together identify a resource. Remove one of the two entries.',
  },
  'project/resource-exists': {
    title: 'The API exists already',
    explain:
      'The project has a resource of this group, version and kind. Choose another version or kind, or overwrite the scaffolded files with --force.',
  },
  'project/resource-missing': {
    title: 'The project does not have this resource',
    explain:
      'A controller without a new resource reconciles a kind that the project has. PROJECT lists no resource of this group, version and kind.',
  },
  'project/controller-exists': {
    title: 'The kind has a controller already',
    explain:
      'A kind has one controller for all of its versions. Add a version without a controller with --controller=false, or overwrite the scaffolded files with --force.',
  },
  'project/plural-taken': {
    title: 'Another kind of the group has this plural',
    explain:
      'The plural is the name of the resource in the URLs of the API server and must be unique in its group. Choose another one with --plural.',
  },
  'project/inconsistent-versions': {
    title: 'The versions of a kind disagree',
    explain:
      'All versions of a kind are in one CustomResourceDefinition, so they share its plural and its scope.',
  },
  'project/cannot-edit': {
    title: 'A YAML file cannot be edited safely',
    explain:
      'op-sdk adds entries to YAML files without rewriting them, and checks the result by reading it back. Here that check failed, or the file has an unexpected shape. Add the entry of the message by hand.',
  },
} satisfies Readonly<Record<ProjectCode, Explanation>>;
