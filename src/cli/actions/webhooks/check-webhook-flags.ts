import { FindingList } from '../../../base/errors/index.ts';
import {
  checkKindName,
  checkPlural,
  checkSubdomain,
  checkVersion,
  checkWebhookPath,
} from '../../../project/project/index.ts';
import type { CertProvider } from '../../../project/scaffold/index.ts';
import type { CliContext } from '../../command.ts';
import { askYesOrNo } from '../../ui/prompts.ts';
import { checkExternalFlags, type ExternalFlags } from '../foreign/external-kind.ts';
import { checkFlag, invalidFlag, missingFlag, requiredNames } from '../input/flag-values.ts';

/** Flags of `create webhook`. */
export interface WebhookFlags extends Omit<ExternalFlags, 'resource' | 'controller'> {
  readonly plural: string | undefined;
  readonly defaulting: boolean | undefined;
  readonly programmaticValidation: boolean | undefined;
  readonly conversion: boolean | undefined;
  readonly spoke: readonly string[] | undefined;
  readonly defaultingPath: string | undefined;
  readonly validationPath: string | undefined;
  readonly certProvider: CertProvider | undefined;
  readonly force: boolean | undefined;
  readonly dryRun: boolean | undefined;
}

/** Webhooks that are requested for a kind. */
export interface WantedWebhooks {
  readonly defaulting: boolean;
  readonly validation: boolean;
  readonly conversion: boolean;
  /** Versions that the conversion converts to and from the hub version. Undefined: all other versions of the kind. */
  readonly spokes: readonly string[] | undefined;
  readonly defaultingPath: string | undefined;
  readonly validationPath: string | undefined;
}

/** Kind that the flags name. With `--external-api-path`, each of the fields may be empty. */
export interface NamedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Checks the flags of `create webhook`. @throws OpSdkError with a finding for every flag that is missing or wrong */
export async function checkWebhookFlags(
  context: CliContext,
  flags: WebhookFlags,
): Promise<{ readonly named: NamedKind; readonly wanted: WantedWebhooks }> {
  const findings = new FindingList();
  const isExternal = flags.externalApiPath !== undefined || flags.externalApiDomain !== undefined;
  const { group = '', version = '', kind = '' } = flags;
  let named: NamedKind = { group, version, kind };
  if (isExternal) findings.gatherSync(() => checkExternalFlags(flags));
  else
    named = await requiredNames(context, findings, [
      {
        name: 'group',
        given: flags.group,
        question: 'Group',
        check: checkSubdomain,
        placeholder: 'cache',
      },
      {
        name: 'version',
        given: flags.version,
        question: 'Version',
        check: checkVersion,
        placeholder: 'v1alpha1',
      },
      {
        name: 'kind',
        given: flags.kind,
        question: 'Kind',
        check: checkKindName,
        placeholder: 'Memcached',
        what: 'a name',
      },
    ]);
  checkFlag(findings, '--plural', flags.plural, checkPlural, [
    'give the plural of the kind, or leave it out',
  ]);
  const asked = [flags.defaulting, flags.programmaticValidation, flags.conversion];
  const asksPerson = context.interactive && asked.every((each) => each === undefined);
  const [defaulting, validation, conversion] = asksPerson
    ? [
        await askYesOrNo(context, 'Create a webhook that fills in defaults'),
        await askYesOrNo(context, 'Create a webhook that validates objects'),
        isExternal ? false : await askYesOrNo(context, 'Create a conversion between versions', false),
      ]
    : asked;
  const wanted = {
    defaulting: defaulting === true,
    validation: validation === true,
    conversion: conversion === true,
    spokes: flags.spoke,
    defaultingPath: flags.defaultingPath,
    validationPath: flags.validationPath,
  };
  if (!wanted.defaulting && !wanted.validation && !wanted.conversion)
    findings.add(
      missingFlag(
        '--defaulting',
        'nothing to create: expected --defaulting, --programmatic-validation or --conversion',
        'add at least one of them',
      ),
    );
  checkSpokes(findings, wanted, version);
  checkPath(findings, '--defaulting-path', flags.defaultingPath, wanted.defaulting, '--defaulting');
  checkPath(
    findings,
    '--validation-path',
    flags.validationPath,
    wanted.validation,
    '--programmatic-validation',
  );
  findings.throwIfAny();
  return { named, wanted };
}

function checkSpokes(findings: FindingList, { conversion, spokes }: WantedWebhooks, hub: string): void {
  if (spokes === undefined) return;
  const flag = '--spoke';
  if (!conversion)
    findings.add(
      invalidFlag(
        flag,
        `${flag} needs --conversion, which is missing`,
        `add --conversion, or leave ${flag} out`,
      ),
    );
  for (const [index, version] of spokes.entries()) {
    checkFlag(findings, flag, version, checkVersion, [
      'give versions separated by commas, such as v1alpha1,v1beta1',
    ]);
    if (version === hub)
      findings.add(
        invalidFlag(
          flag,
          `${flag} names ${version}, which is the version to convert to`,
          `leave ${version} out of ${flag}`,
        ),
      );
    if (spokes.indexOf(version) < index)
      findings.add(invalidFlag(flag, `${flag} names ${version} twice`, 'name it once'));
  }
}

function checkPath(
  findings: FindingList,
  flag: string,
  path: string | undefined,
  isWanted: boolean,
  owner: string,
): void {
  if (path === undefined) return;
  checkFlag(findings, flag, path, checkWebhookPath, ['leave it out for the default path']);
  if (!isWanted)
    findings.add(
      invalidFlag(flag, `${flag} needs ${owner}, which is missing`, `add ${owner}, or leave ${flag} out`),
    );
}
