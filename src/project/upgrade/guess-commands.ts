import { hasMonitoring } from '../monitoring/index.ts';
import {
  commandRecord,
  controllerNames,
  defaultControllerName,
  fullGroup,
  layout,
  projectPackageManager,
  type GivenFlags,
  type LoadedProject,
  type ProjectResource,
  type RecordedCommand,
} from '../project/index.ts';
import { certProviderOf, readHeader, type ReadFile } from '../scaffold/index.ts';

/**
 * Derives the commands that have scaffolded a project from the entries of PROJECT, for projects whose commands are not recorded. Flags that
 * leave no trace get their defaults, so that the real commands may have differed.
 */
export async function guessedCommands(
  project: LoadedProject,
  read: ReadFile,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly RecordedCommand[]> {
  const { domain, repo, projectName, namespaced, root } = project;
  const header = readHeader((await read(layout.boilerplate)) ?? '');
  const manager = projectPackageManager(root, env);
  const isModernYarn = manager.name === 'yarn' && (await read('.yarnrc.yml')) !== undefined;
  const init = commandRecord(
    'init',
    {
      ...{ domain, repo, 'project-name': projectName },
      ...{ license: header?.license ?? 'apache2', owner: header?.owner },
      ...(namespaced ? { namespaced } : {}),
    },
    isModernYarn ? 'yarn/4' : manager.id,
  );
  const provider = await certProviderOf(read);
  return [
    init,
    ...project.resources.flatMap(apiCommands),
    // Conversions need all versions of their kinds.
    ...project.resources.flatMap((resource) => webhookCommands(resource, provider)),
    ...(hasMonitoring(project) ? [commandRecord('create monitoring', {})] : []),
  ];
}

function apiCommands(resource: ProjectResource): readonly RecordedCommand[] {
  const { api, group, kind, version, plural } = resource;
  const isDefault = (name: string): boolean => name === defaultControllerName(kind);
  const names = controllerNames(resource);
  const own =
    api === undefined
      ? []
      : [
          commandRecord('create api', {
            ...{ group, kind, version, plural, resource: true, controller: names.some(isDefault) },
            ...(api.namespaced ? {} : { namespaced: false }),
          }),
        ];
  const further = names
    .filter((name) => api === undefined || !isDefault(name))
    .map((name) =>
      commandRecord('create api', {
        ...{ group, kind, version, 'controller-name': isDefault(name) ? undefined : name },
        ...(resource.external === true ? externalFlags(resource) : { resource: false }),
      }),
    );
  return [...own, ...further];
}

function webhookCommands(
  resource: ProjectResource,
  provider: string | undefined,
): readonly RecordedCommand[] {
  const { webhooks, group, kind, version } = resource;
  if (webhooks === undefined) return [];
  const { defaulting, validation, conversion, spoke } = webhooks;
  return [
    commandRecord('create webhook', {
      ...{ group, kind, version, 'cert-provider': provider },
      ...(defaulting ? { defaulting } : {}),
      ...(validation ? { 'programmatic-validation': validation } : {}),
      ...(conversion ? { conversion, spoke } : {}),
      'defaulting-path': webhooks.defaultingPath,
      'validation-path': webhooks.validationPath,
      ...(resource.external === true && !resource.controller ? externalFlags(resource) : {}),
    }),
  ];
}

/**
 * Returns the flags of an external kind. A kind with a file of types was imported from a definition, which is copied into the project; any
 * other kind is exported by a package.
 */
function externalFlags(resource: ProjectResource): GivenFlags {
  const { path = '', domain, plural } = resource;
  return {
    'external-api-path': /\.[cm]?ts$/.test(path) ? layout.externalCrd(fullGroup(resource), plural) : path,
    'external-api-domain': domain === '' ? undefined : domain,
  };
}
