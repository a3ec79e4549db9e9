import type { ExplainedCodes } from '../../base/errors/index.ts';

export const projectCodes = {
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
  'project/newer-op-sdk': {
    title: 'A newer op-sdk has scaffolded the project',
    explain:
      'The version of op-sdk that runs is older than `cliVersion` in PROJECT: it would scaffold files of an older version into the project, and the next upgrade would take them for edited ones. After `op-sdk upgrade --skip-install`, or an upgrade that was interrupted, the dependencies of the project have to be installed.',
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
      'The controller that is named as its kind serves all versions of the kind. Add a version without a controller with --controller=false, add another controller with --controller-name, or move the controller to the version with --force. Of the version that it reconciles already, --force scaffolds it again.',
  },
  'project/webhook-exists': {
    title: 'The kind has this webhook already',
    explain:
      'Its code is in src/webhooks or src/conversions, and belongs to you: `op-sdk create webhook` adds to it, and does not write it again. Ask only for what is new, or overwrite what was scaffolded with --force; an edited file is kept beside the new one. Of the versions of a kind, one is converted to all others.',
  },
  'project/cert-provider': {
    title: "The certificate of the project's webhooks comes from elsewhere",
    explain:
      'All webhooks of a project share a certificate, which cert-manager makes or the operator itself. The first `op-sdk create webhook` decides that. To change it, delete the files of the one, remove what names them from the kustomizations, and run `op-sdk create webhook` with --cert-provider: it wires all webhooks of the project.',
  },
  'project/controller-name-taken': {
    title: 'Another controller has this name',
    explain:
      'A controller\'s name is in logs and metrics, owns the fields that the controller writes, and names its file and its constant. Names that differ only in letter case, "-" or an ending "-controller" count as one.',
  },
  'project/built-in-kind': {
    title: 'The kind is built into Kubernetes',
    explain:
      'A project defines kinds of groups in its own domain. For a controller of a built-in kind, such as Deployment of apps, add --resource=false: it is imported from opsdk/k8s. A kind of your own needs a group or a name that Kubernetes does not have.',
  },
  'project/unknown-built-in-kind': {
    title: 'Kubernetes has no such kind',
    explain:
      'The group is built into Kubernetes, and has no such version or kind that opsdk/k8s exports. The message names the nearest one.',
  },
  'project/not-watchable': {
    title: 'The kind cannot be watched',
    explain:
      'A controller learns of changes by a watch. The API server answers requests of this kind, such as TokenReview, and stores no objects.',
  },
  'project/external-kind': {
    title: 'The external kind is missing or ambiguous',
    explain:
      'What --external-api-path names holds no kind, or several kinds or served versions, that fit --group, --external-api-domain, --version and --kind. The message lists the kinds that were found.',
  },
  'project/external-module': {
    title: 'The module exports no resource',
    explain:
      'A module of a package is used as it is: it has to export the value of defineResource or externalResource, called with literals, in the JavaScript beside its declaration file. op-sdk reads it and runs nothing. For other packages, name the CRD of the kind.',
  },
  'project/not-admitted': {
    title: 'Webhooks are not asked about this kind',
    explain:
      'The API server excepts the configurations of admission itself, such as ValidatingWebhookConfiguration: a faulty webhook could otherwise not be removed.',
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
  'project/unlisted-package': {
    level: 'warning',
    title: 'An import of a package that package.json does not list',
    explain:
      'A warning of `op-sdk build`, `dev` and `doctor`. The package is installed because another one needs it, and the package manager put it where this project finds it too. The import fails, or gets another version, when that other package no longer needs it, and with package managers that keep dependencies apart. Add it to the dependencies; devDependencies and those of the workspace count too, and `@types/NAME` for imports of types.',
  },
  'project/watch-namespace-kept': {
    level: 'warning',
    title: 'WATCH_NAMESPACE has a value of your own',
    explain:
      '`op-sdk edit --namespaced=false` removes the variable that op-sdk wrote, which names the namespace of the operator. Here it has another value, which stays: the operator works in those namespaces only, with the permissions of a ClusterRole.',
  },
  'project/cannot-edit': {
    title: 'A YAML file cannot be edited safely',
    explain:
      'op-sdk adds entries to YAML files without rewriting them, and checks the result by reading it back. Here that check failed, or the file has an unexpected shape. Add the entry of the message by hand.',
  },
  'project/cannot-splice': {
    title: 'A source cannot be edited safely',
    explain:
      'op-sdk edits sources by inserting and removing text, and only where a value is written out in the call itself: a constant or a spread may belong to others, too. The message has the line to write.',
  },
  'project/cannot-copy': {
    title: 'The types of a version cannot be copied',
    explain:
      'A further version begins as a copy of the newest one. That needs a file that declares this version alone, with `version` and `storage` written out in the call of defineResource.',
  },
  'project/storage-loses-fields': {
    title: 'Stored objects would lose fields in the new storage version',
    explain:
      'Without a conversion webhook the API server changes only `apiVersion` when it stores an object in another version, and drops the fields that this version does not have. Add the fields to the version, or accept the loss with --force.',
  },
  'project/version-in-use': {
    title: 'A version cannot be deleted while it is needed',
    explain:
      'Other versions of the kind stay, and objects are stored in this one, or the controller reconciles it. Move the storage version or the controller first; the message has the command.',
  },
  'project/still-imported': {
    title: 'Other sources use what would be deleted',
    explain:
      'A source or test that stays uses a file that would be deleted, so that the project would no longer compile. Remove the use first.',
  },
} satisfies ExplainedCodes;
