import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pushFlags, pushArgument, pushHelp } from '../flags/registry-flags.ts';
import { catalogObject, olmVersions } from '../../olm/catalog/index.ts';
import { label1123Problem } from '../../kubernetes/objects/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { formatReference, parseReference } from '../../images/index.ts';
import { toYaml } from '../../kubernetes/yaml/index.ts';
import { pushImageOf } from '../actions/images/push-built-image.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';

export const command = defineCommand({
  arguments: [pushArgument('catalog')],
  flags: {
    ...pushFlags,
    name: flag.text('name', 'the name of the catalogue on the cluster (default: from that of the image)'),
    namespace: flag.text('name', 'the namespace of the CatalogSource', { default: 'olm' }),
    olm: flag.choice('version', ['v0', 'v1'], 'print the object for this version of OLM only'),
  },
  help: pushHelp('catalog'),
  async run(context, parsed, [text]) {
    const { name, namespace, olm, ...options } = parsed;
    for (const [flag, value] of [
      ['--name', name ?? 'x'],
      ['--namespace', namespace],
    ] as const) {
      const problem = label1123Problem(value);
      if (problem !== undefined)
        throw new OpSdkError(
          invalidFlag(flag, `${flag}: ${JSON.stringify(value)} is not valid: ${problem}`, 'write a name'),
        );
    }
    const { image, digest } = await pushImageOf(context, options, text, 'catalog');
    const { registry, repository } = parseReference(image);
    // OLM v1 pulls images with containers/image, which refuses a reference with both tag and digest. So the tag is dropped.
    const pinned = formatReference({ registry, repository, digest });
    const known = { name: name ?? nameOf(image), namespace, image: pinned };
    const objects = olmVersions
      .filter((version) => olm === undefined || version === olm)
      .map((version) => catalogObject(known, version));
    return {
      result: { image, digest, objects },
      text: [`# ${image.replace(/@sha256:.*$/, '')}@${digest}\n`, ...objects.map(toYaml)].join('---\n'),
    };
  },
});

/** Converts the last part of the image's repository to an object name on the cluster. */
function nameOf(image: string): string {
  const last = parseReference(image).repository.split('/').at(-1) ?? '';
  return last
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/-$/, '');
}
