import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertObject, StepFailure } from '../../../../../src/sdk/runtime/conversion/convert-object.ts';
import { conversionDataAnnotation } from '../../../../../src/sdk/runtime/conversion/kept-data.ts';
import {
  defineConversion,
  defineResource,
  type CustomResource,
  type HubConversion,
} from '../../../../../src/index.ts';
import { canonicalJson, type JsonMap } from '../../../../../src/base/util/json-map.ts';
import { runs } from '../../../../helpers/thorough.ts';
import { bodies, nginx, pairs } from './pairs.ts';

const numRuns = 1_000;
const versionsOf = ({ hub, spokes: [spoke] }: HubConversion): [string, string] => [
  hub.version,
  spoke!.resource.version,
];
const objectOf = ({ hub }: HubConversion, version: string, body: object, metadata: object = {}): JsonMap => ({
  apiVersion: `${hub.group}/${version}`,
  kind: hub.kind,
  metadata: { name: 'a', namespace: 'b', ...metadata },
  ...body,
});
const bodyOf = ({ apiVersion: _v, kind: _k, metadata: _m, ...body }: JsonMap): JsonMap => body;
const annotationOf = (object: JsonMap): string | undefined =>
  (object['metadata'] as { annotations?: Record<string, string> }).annotations?.[conversionDataAnnotation];

describe.each(pairs)('%s: the conversion', (_title, { conversion, hub, spoke }) => {
  const [hubVersion, spokeVersion] = versionsOf(conversion);

  it('gives back what came from the hub, byte by byte', () => {
    fc.assert(
      fc.property(hub, (body) => {
        const object = objectOf(conversion, hubVersion, body);
        const back = convertObject(conversion, convertObject(conversion, object, spokeVersion), hubVersion);
        expect(canonicalJson(back)).toBe(canonicalJson(object));
      }),
      { numRuns },
    );
  });

  it('gives back what came from the spoke, byte by byte', () => {
    fc.assert(
      fc.property(spoke, (body) => {
        const object = objectOf(conversion, spokeVersion, body);
        const back = convertObject(conversion, convertObject(conversion, object, hubVersion), spokeVersion);
        expect(canonicalJson(back)).toBe(canonicalJson(object));
      }),
      { numRuns },
    );
  });

  it('keeps edits of the spoke in the hub, and the spoke reads them back', () => {
    fc.assert(
      fc.property(hub, spoke, spoke, (body, edit, second) => {
        let stored = objectOf(conversion, hubVersion, body);
        for (const edited of [edit, second]) {
          const seen = convertObject(conversion, stored, spokeVersion);
          const written = { ...seen, ...edited };
          stored = convertObject(conversion, written, hubVersion);
          const read = convertObject(conversion, stored, spokeVersion);
          expect(canonicalJson(bodyOf(read))).toBe(canonicalJson(bodyOf(written)));
          // Writing what was read changes nothing in the store.
          expect(canonicalJson(convertObject(conversion, read, hubVersion))).toBe(canonicalJson(stored));
        }
      }),
      { numRuns },
    );
  });

  it('keeps edits of the hub, whatever spokes have left there', () => {
    fc.assert(
      fc.property(spoke, hub, (body, edit) => {
        const stored = convertObject(conversion, objectOf(conversion, spokeVersion, body), hubVersion);
        const written = { ...stored, ...edit };
        const read = convertObject(conversion, written, spokeVersion);
        expect(canonicalJson(bodyOf(convertObject(conversion, read, hubVersion)))).toBe(
          canonicalJson(bodyOf(written)),
        );
      }),
      { numRuns },
    );
  });

  it('is the same with an annotation that another has written', () => {
    const data = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .dictionary(
          fc.constantFrom(hubVersion, spokeVersion, '__proto__'),
          fc.record({ was: fc.object(), is: fc.object() }),
        )
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.oneof(hub, spoke), fc.boolean(), data, (body, fromHub, text) => {
        const annotations = { [conversionDataAnnotation]: text };
        const [from, to] = fromHub ? [hubVersion, spokeVersion] : [spokeVersion, hubVersion];
        const convert = (metadata: object): JsonMap | StepFailure | string => {
          try {
            return convertObject(conversion, objectOf(conversion, from, body, metadata), to);
          } catch (error) {
            return error instanceof StepFailure && to === hubVersion ? error : String(error);
          }
        };
        // Bodies of the other version are refused with and without it, never by a crash of another kind.
        const plain = convert({});
        if (typeof plain !== 'string' && !(plain instanceof StepFailure))
          expect(convert({ annotations })).toEqual(plain);
      }),
      { numRuns: runs(numRuns) },
    );
  });
});

interface OldSite extends CustomResource<'site.example.com/v1alpha1', 'Site'> {
  spec: { size: number };
}
interface NewSite extends CustomResource<'site.example.com/v1', 'Site'> {
  spec: { size: number; image: string };
}
const site = { group: 'site.example.com', kind: 'Site' } as const;
const Spoke = defineResource<OldSite>({ ...site, version: 'v1alpha1' });
const Hub = defineResource<NewSite>({ ...site, version: 'v1', storage: true });

describe('what was kept for the hub and cannot be converted', () => {
  const mistaken = defineConversion(Hub).spoke(Spoke, {
    to: ({ spec }) => ({ spec: { ...spec, image: '' } }),
    from: ({ spec: { image, ...spec } }) => {
      // A mistake that shows only with an image, and with a size that only the spoke has set.
      if (image !== '' && spec.size === 0) throw new TypeError('division by zero');
      return { spec };
    },
  });
  const hub = objectOf(mistaken, 'v1', { spec: { size: 1, image: 'nginx' } });

  it('makes the write fail; nothing is lost', () => {
    const spoke = convertObject(mistaken, hub, 'v1alpha1');
    expect(() => convertObject(mistaken, { ...spoke, spec: { size: 0 } }, 'v1')).toThrow(
      'from() of v1alpha1: division by zero',
    );
    expect(convertObject(mistaken, spoke, 'v1')).toEqual(hub);
  });
});

describe('three versions', () => {
  it('lose nothing on the way over each other', () => {
    const versions = fc.array(fc.constantFrom('v1alpha1', 'v1alpha2', 'v1'), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc
          .constantFrom(...(['v1alpha1', 'v1alpha2', 'v1'] as const))
          .chain((version) => fc.tuple(fc.constant(version), bodies[version])),
        versions,
        ([first, body], way) => {
          const object = objectOf(nginx, first, body);
          const end = [...way, first].reduce(
            (value, version) => convertObject(nginx, value, version),
            object,
          );
          expect(canonicalJson(bodyOf(end))).toBe(canonicalJson(body));
        },
      ),
      { numRuns },
    );
  });
});

describe('the annotation', () => {
  const v2 = (ports: object[], more: object = {}): JsonMap =>
    objectOf(nginx, 'v1alpha2', { spec: { ports, ...more } });

  it('is not there when nothing would be lost, and goes when the object is back', () => {
    const plain = convertObject(nginx, v2([{ containerPort: 80, protocol: 'TCP' }]), 'v1alpha1');
    expect(plain['metadata']).toEqual({ name: 'a', namespace: 'b' });
    const full = convertObject(nginx, v2([{ containerPort: 80, name: 'http' }]), 'v1alpha1');
    expect(JSON.parse(annotationOf(full)!.replace(/^signed-1 \S+ \S+ uid= name=a /, ''))).toEqual({
      v1alpha2: {
        was: { spec: { ports: [{ containerPort: 80, protocol: 'TCP' }] } },
        is: { spec: { ports: [{ containerPort: 80, name: 'http' }] } },
      },
    });
    expect(convertObject(nginx, full, 'v1alpha2')['metadata']).toEqual({ name: 'a', namespace: 'b' });
  });

  it('leaves the other metadata and annotations as they are', () => {
    const metadata = { uid: 'x', labels: { a: 'b' }, annotations: { note: 'x' }, finalizers: ['a/b'] };
    const object = objectOf(nginx, 'v1alpha2', { spec: { ports: [{ containerPort: 1 }] } }, metadata);
    const spoke = convertObject(nginx, object, 'v1alpha1');
    expect(spoke['metadata']).toMatchObject({ name: 'a', ...metadata });
    expect(convertObject(nginx, spoke, 'v1alpha2')).toEqual(object);
  });

  it('carries an edit of one field over to what was kept', () => {
    const spoke = convertObject(
      nginx,
      v2([{ containerPort: 80, name: 'http' }, { containerPort: 443 }]),
      'v1alpha1',
    );
    const hub = convertObject(nginx, { ...spoke, spec: { port: 8080 } }, 'v1alpha2');
    expect(hub['spec']).toEqual({ ports: [{ containerPort: 8080, name: 'http' }, { containerPort: 443 }] });
  });

  it('is not needed: without it the object is what the functions make of it', () => {
    const spoke = convertObject(nginx, v2([{ containerPort: 80, name: 'http' }]), 'v1alpha1');
    const hub = convertObject(nginx, { ...spoke, metadata: { name: 'a' } }, 'v1alpha2');
    expect(hub['spec']).toEqual({ ports: [{ containerPort: 80, protocol: 'TCP' }] });
  });

  it('is an error above 128 KiB, in bytes', () => {
    const long = (length: number) =>
      v2([{ containerPort: 80 }, { containerPort: 1, name: 'é'.repeat(length) }]);
    expect(annotationOf(convertObject(nginx, long(65_000), 'v1alpha1'))?.length).toBeGreaterThan(65_000);
    expect(() => convertObject(nginx, long(66_000), 'v1alpha1')).toThrow(
      /annotation opsdk.dev\/conversion-data: expected at most 131072 bytes .*, got 132/,
    );
  });

  it('does not hold what is lossy', () => {
    const [alpha] = nginx.spokes;
    const lossy: HubConversion = {
      ...nginx,
      spokes: [{ ...alpha!, conversion: { ...alpha!.conversion, lossy: ['.spec.ports[*].name'] } }],
    };
    const spoke = convertObject(
      lossy,
      v2([{ containerPort: 80, name: 'http', protocol: 'TCP' }]),
      'v1alpha1',
    );
    expect(annotationOf(spoke)).toBeUndefined();
    const mixed = convertObject(
      lossy,
      v2([{ containerPort: 80, name: 'http', protocol: 'UDP' }]),
      'v1alpha1',
    );
    expect(convertObject(lossy, mixed, 'v1alpha2')['spec']).toEqual({
      ports: [{ containerPort: 80, protocol: 'UDP' }],
    });
  });
});
