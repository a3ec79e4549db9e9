import { FindingList } from '../../../base/errors/index.ts';
import {
  fullGroup,
  isSameKind,
  layout,
  type LoadedProject,
  type ProjectResource,
  type ProjectWebhooks,
} from '../../../project/project/index.ts';
import { invalidFlag } from '../input/flag-values.ts';
import type { WantedWebhooks } from './check-webhook-flags.ts';
import type { WebhookTarget } from './webhook-target.ts';

const none: ProjectWebhooks = {
  webhookVersion: 'v1',
  defaulting: false,
  validation: false,
  conversion: false,
  spoke: [],
};

/** Returns the versions of a kind that the project defines. */
export function ownVersions(project: LoadedProject, resource: ProjectResource): readonly ProjectResource[] {
  return project.resources.filter((known) => known.api !== undefined && isSameKind(known, resource));
}

/**
 * Returns the webhooks that the kind will have: the requested webhooks together with the existing ones.
 * @throws OpSdkError with a finding for each contradiction between the request and the existing webhooks
 */
export function decideWebhooks(
  project: LoadedProject,
  target: WebhookTarget,
  wanted: WantedWebhooks,
  force: boolean,
): ProjectWebhooks {
  const findings = new FindingList();
  const { resource } = target;
  const present = resource.webhooks ?? none;
  const functions = [
    ['defaulting', 'a defaulting webhook', '--defaulting'],
    ['validation', 'a validating webhook', '--programmatic-validation'],
  ] as const;
  for (const [name, what, flag] of functions)
    if (wanted[name] && present[name] && !force)
      findings.add({
        code: 'project/webhook-exists',
        message: `${titleOf(resource)} has ${what} already`,
        where: { file: layout.webhook(resource) },
        fix: [`leave out ${flag}: its code exists already`, 'pass --force to overwrite what was scaffolded'],
      });
  const added = wanted.conversion ? newSpokes(findings, project, target, wanted, force) : [];
  const defaultingPath = wanted.defaultingPath ?? present.defaultingPath;
  const validationPath = wanted.validationPath ?? present.validationPath;
  const webhooks = {
    webhookVersion: 'v1',
    defaulting: present.defaulting || wanted.defaulting,
    validation: present.validation || wanted.validation,
    conversion: present.conversion || wanted.conversion,
    spoke: [...present.spoke, ...added],
    ...(defaultingPath === undefined ? {} : { defaultingPath }),
    ...(validationPath === undefined ? {} : { validationPath }),
  };
  checkPaths(findings, project, { ...resource, webhooks }, wanted);
  findings.throwIfAny();
  return webhooks;
}

function newSpokes(
  findings: FindingList,
  project: LoadedProject,
  { resource, isOwn }: WebhookTarget,
  { spokes }: WantedWebhooks,
  force: boolean,
): readonly string[] {
  const { group, version, kind } = resource;
  if (!isOwn) {
    findings.add(
      invalidFlag(
        '--conversion',
        `--conversion is only for kinds that the project defines, and ${kind} is defined outside of the project`,
        'leave --conversion out',
      ),
    );
    return [];
  }
  const versions = ownVersions(project, resource);
  const present = resource.webhooks?.spoke ?? [];
  const others = versions.filter((known) => known.version !== version).map((known) => known.version);
  const hub = versions.find((known) => known.version !== version && known.webhooks?.conversion === true);
  if (hub !== undefined) {
    findings.add({
      code: 'project/webhook-exists',
      message: `the versions of ${kind} are already converted to ${hub.version}; a kind can have only one version that the others are converted to`,
      where: { file: layout.conversion(resource) },
      fix: [
        `add a version to it: --version ${hub.version} --conversion --spoke ${version}`,
        `to convert to ${version} instead: delete ${layout.conversion(resource)} and its lines in ${layout.main}, remove the fields \`conversion\` and \`spoke\` of ${hub.version} from ${layout.projectFile}, and run the command again`,
      ],
    });
    return [];
  }
  const create = `op-sdk create api --group ${group} --version v2 --kind ${kind}`;
  if (others.length === 0)
    findings.add({
      code: 'project/resource-missing',
      message: `${version} is the only version of ${kind}, so there is nothing to convert`,
      where: { file: layout.projectFile },
      fix: [`create another version first: ${create}`],
    });
  for (const spoke of spokes ?? [])
    if (others.length > 0 && !others.includes(spoke))
      findings.add({
        code: 'project/resource-missing',
        message: `${kind} has no version ${spoke}`,
        where: { flag: '--spoke' },
        fix: [`its other versions are ${others.join(', ')}`, `create it: ${create.replace('v2', spoke)}`],
      });
  const added = (spokes ?? others).filter((spoke) => !present.includes(spoke));
  if (added.length === 0 && others.length > 0 && !force)
    findings.add({
      code: 'project/webhook-exists',
      message: `${(spokes ?? others).join(', ')} of ${kind} is converted to ${version} already`,
      where: { file: layout.conversion(resource) },
      fix: [
        'leave out --conversion: its code exists already',
        'pass --force to overwrite what was scaffolded',
      ],
    });
  return added;
}

interface Path {
  readonly owner: ProjectResource;
  readonly what: 'defaulting' | 'validation';
  readonly path: string;
}

/** Returns the URL paths under which the operator serves the webhooks of a resource. Source: controller-runtime `generateMutatePath`. */
function pathsOf(owner: ProjectResource): readonly Path[] {
  const { version, kind, webhooks } = owner;
  const suffix = `${fullGroup(owner).replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
  return [
    ...(webhooks?.defaulting === true
      ? [{ owner, what: 'defaulting', path: webhooks.defaultingPath ?? `/mutate-${suffix}` } as const]
      : []),
    ...(webhooks?.validation === true
      ? [{ owner, what: 'validation', path: webhooks.validationPath ?? `/validate-${suffix}` } as const]
      : []),
  ];
}

function checkPaths(
  findings: FindingList,
  project: LoadedProject,
  resource: ProjectResource,
  wanted: WantedWebhooks,
): void {
  const own = pathsOf(resource);
  const others = project.resources
    .filter((known) => !isSameKind(known, resource) || known.version !== resource.version)
    .flatMap(pathsOf);
  for (const [index, { what, path }] of own.entries()) {
    const clash = [...others, ...own.slice(0, index)].find((each) => each.path === path);
    if (clash === undefined || (!wanted[what] && clash.owner !== resource)) continue;
    findings.add(
      invalidFlag(
        `--${what}-path`,
        `the path ${path} is taken: the ${clash.what} webhook of ${titleOf(clash.owner)} is served there`,
        `give another --${what}-path`,
      ),
    );
  }
}

function titleOf(resource: ProjectResource): string {
  const group = fullGroup(resource);
  return `${group === '' ? '' : `${group}/`}${resource.version}, Kind=${resource.kind}`;
}
