import type { FindingList } from '../../errors/index.ts';
import type { EvaluatedProperty } from '../../schema/index.ts';
import { closestName } from '../../util/closest-name.ts';
import type { ManifestDocument } from '../manifest-document.ts';
import {
  invalidDeclaration,
  isAbsent,
  readObject,
  readScalar,
  readStrings,
  type Placed,
} from '../read-value.ts';
import {
  caBundleProblem,
  reviewVersionProblems,
  servicePathProblem,
  urlProblem,
} from './conversion-rules.ts';

const strategies = ['None', 'Webhook'];

/**
 * Reads `conversion` of defineResource.
 * Source: apiextensions `validateCustomResourceConversion`.
 * @returns `spec.conversion` of the CRD
 */
export function readConversion(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): Placed<ManifestDocument> | undefined {
  if (property === undefined || isAbsent(property)) return undefined;
  const { place } = property;
  const fields = readObject(findings, property.value, '`conversion`', [
    'strategy',
    'clientConfig',
    'conversionReviewVersions',
  ]);
  if (fields === undefined) return undefined;
  const invalid = invalidConversion(findings);
  const strategy = readScalar(findings, fields.get('strategy'), '`strategy` of `conversion`', 'string');
  if (isAbsent(fields.get('strategy')))
    findings.add(
      invalidDeclaration(
        '`conversion` lacks `strategy`',
        property.value.place,
        "write `strategy: 'None'` or `strategy: 'Webhook'`",
      ),
    );
  if (strategy === undefined) return undefined;
  if (!strategies.includes(strategy.value)) {
    const closest = closestName(strategy.value, strategies);
    invalid(
      `the strategy is '${strategy.value}'; it is 'None' or 'Webhook'`,
      strategy.place,
      closest === undefined ? "write 'None' or 'Webhook'" : `did you mean '${closest}'?`,
    );
    return undefined;
  }
  const [clientConfig, versions] = [fields.get('clientConfig'), fields.get('conversionReviewVersions')];
  if (strategy.value === 'None') {
    for (const [name, other] of [
      ['clientConfig', clientConfig],
      ['conversionReviewVersions', versions],
    ] as const) {
      if (other !== undefined && !isAbsent(other))
        invalid(
          `the strategy 'None' has no webhook, hence no \`${name}\``,
          other.place,
          "take it away, or write `strategy: 'Webhook'`",
        );
    }
    return { value: { strategy: 'None' }, place };
  }
  const reviewVersions = readReviewVersions(findings, versions, property);
  const client = readClientConfig(findings, clientConfig, property);
  if (client === undefined || reviewVersions === undefined) return undefined;
  return {
    value: {
      strategy: 'Webhook',
      webhook: { clientConfig: client, conversionReviewVersions: reviewVersions },
    },
    place,
  };
}

type Invalid = (message: string, where: EvaluatedProperty['place'], fix: string) => void;

function invalidConversion(findings: FindingList): Invalid {
  return (message, where, fix) =>
    findings.add({
      code: 'manifests/invalid-conversion',
      message: `\`conversion\`: ${message}`,
      where,
      fix: [fix],
    });
}

function readReviewVersions(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
  conversion: EvaluatedProperty,
): readonly string[] | undefined {
  const what = '`conversionReviewVersions` of `conversion`';
  const fix = "write `conversionReviewVersions: ['v1']`";
  if (isAbsent(property)) {
    findings.add(invalidDeclaration(`${what} is missing`, conversion.value.place, fix));
    return undefined;
  }
  const versions = readStrings(findings, property?.value, what);
  if (versions === undefined) return undefined;
  for (const { message, at } of reviewVersionProblems(versions.map(({ value }) => value))) {
    const where =
      (at === undefined ? undefined : versions[at]?.place) ?? property?.value.place ?? conversion.place;
    invalidConversion(findings)(message, where, fix);
  }
  return versions.map(({ value }) => value);
}

function readClientConfig(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
  conversion: EvaluatedProperty,
): ManifestDocument | undefined {
  const what = '`clientConfig` of `conversion`';
  if (property === undefined || isAbsent(property)) {
    const fix = 'write `clientConfig: { service: { namespace, name, path } }` with their values';
    findings.add(invalidDeclaration(`${what} is missing`, conversion.value.place, fix));
    return undefined;
  }
  const fields = readObject(findings, property.value, what, ['service', 'url', 'caBundle']);
  if (fields === undefined) return undefined;
  const invalid = invalidConversion(findings);
  const url = readScalar(findings, fields.get('url'), `\`url\` of ${what}`, 'string');
  const caBundle = readScalar(findings, fields.get('caBundle'), `\`caBundle\` of ${what}`, 'string');
  const service = readService(findings, fields.get('service'));
  const given = ['url', 'service'].filter((name) => !isAbsent(fields.get(name)));
  const hole = property.value.type === 'object' && property.value.holes.length > 0;
  if (given.length !== 1 && !hole) {
    invalid(
      `\`clientConfig\` has ${given.length === 0 ? 'neither `url` nor `service`' : 'both `url` and `service`'}`,
      property.value.place,
      'write one of the two',
    );
  }
  const urlWrong = url && urlProblem(url.value);
  if (url !== undefined && urlWrong !== undefined)
    invalid(`the url '${url.value}' is not valid: ${urlWrong}`, url.place, 'write https://host[:port]/path');
  const caWrong = caBundle && caBundleProblem(caBundle.value);
  if (caBundle !== undefined && caWrong !== undefined)
    invalid(
      `the caBundle is not valid: ${caWrong}`,
      caBundle.place,
      'write a PEM certificate in base64, or leave it to cert-manager',
    );
  return {
    ...(caBundle === undefined ? {} : { caBundle: caBundle.value }),
    ...(service === undefined ? {} : { service }),
    ...(url === undefined ? {} : { url: url.value }),
  };
}

function readService(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): ManifestDocument | undefined {
  if (property === undefined || isAbsent(property)) return undefined;
  const what = '`service` of `clientConfig`';
  const fields = readObject(findings, property.value, what, ['namespace', 'name', 'path', 'port']);
  if (fields === undefined) return undefined;
  const text = (name: string): Placed<string> | undefined =>
    readScalar(findings, fields.get(name), `\`${name}\` of ${what}`, 'string');
  const [namespace, name, path] = [text('namespace'), text('name'), text('path')];
  const port = readScalar(findings, fields.get('port'), `\`port\` of ${what}`, 'number');
  const invalid = invalidConversion(findings);
  const hole = property.value.type === 'object' && property.value.holes.length > 0;
  for (const [field, value] of [
    ['namespace', namespace],
    ['name', name],
  ] as const) {
    if ((isAbsent(fields.get(field)) && !hole) || value?.value === '')
      invalid(`${what} lacks \`${field}\``, value?.place ?? property.value.place, `add \`${field}: '…'\``);
  }
  const pathWrong = path && servicePathProblem(path.value);
  if (path !== undefined && pathWrong !== undefined)
    invalid(
      `the path '${path.value}' is not valid: ${pathWrong}`,
      path.place,
      'write a path such as /convert',
    );
  if (port !== undefined && !(Number.isInteger(port.value) && port.value >= 1 && port.value <= 65_535))
    invalid(
      `the port ${port.value} is not between 1 and 65535`,
      port.place,
      'write the port of the Service, or leave it out for 443',
    );
  return {
    ...(name === undefined ? {} : { name: name.value }),
    ...(namespace === undefined ? {} : { namespace: namespace.value }),
    ...(path === undefined ? {} : { path: path.value }),
    ...(port === undefined ? {} : { port: port.value }),
  };
}
