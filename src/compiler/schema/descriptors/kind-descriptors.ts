import type { Finding } from '../../../base/errors/index.ts';
import { displayName } from '../../../base/util/kube-version.ts';
import { fieldNode, innerNodes, itemsNode, type SchemaNode } from '../schema-node.ts';
import type { Reporter, TagUse } from '../reporter.ts';
import type { Doc, Tag } from '../shape.ts';
import { tagProblem } from '../tags/apply-tags.ts';
import type { Parsed } from '../tags/values.ts';
import { xDescriptorProblem } from './x-descriptors.ts';

/**
 * Descriptor of a field for the user interfaces of OLM (Operator Lifecycle Manager): an item of `specDescriptors` or `statusDescriptors`.
 */
export interface FieldDescriptor {
  /** Path of the field below spec or status, such as `tls.secretName` or `ports[0].name`. */
  readonly path: string;
  readonly displayName: string;
  /** Description of the field in the schema; undefined if the schema has no description. */
  readonly description?: string;
  readonly 'x-descriptors'?: readonly string[];
}

/** Descriptors of a kind for user interfaces, read from the types of the kind. */
export interface KindDescriptors {
  /** Display name of the kind, from the `@displayName` tag of the interface. */
  readonly displayName?: string;
  readonly spec: readonly FieldDescriptor[];
  readonly status: readonly FieldDescriptor[];
  /** Uses of the `@descriptor` and `@displayName` tags by this kind. */
  readonly tags: TagUse;
}

/** A descriptor with its position in the list. */
interface Ordered {
  readonly order: number;
  readonly descriptor: FieldDescriptor;
}

/**
 * Returns the descriptors of a kind. Each field directly below spec or status has a descriptor. A deeper field has one only if it has a
 * `@descriptor` tag that names `spec` or `status`. Descriptors with an `order` come first; all others follow in the order of the fields.
 */
export function kindDescriptors(root: SchemaNode, reporter: Reporter): KindDescriptors {
  const tags = readTags(root, reporter);
  const title = nameOf(tags, root.origin?.docs.slice(0, 1) ?? []);
  const [spec, status] = descriptorParts.map((part) => {
    const node = fieldNode(root, part);
    const found = node === undefined ? [] : fieldsOf(tags, node, part, '');
    return found.sort((a, b) => a.order - b.order).map(({ descriptor }) => descriptor);
  });
  return {
    ...(title === undefined ? {} : { displayName: title }),
    spec: spec ?? [],
    status: status ?? [],
    tags: useOf(tags, reporter),
  };
}

/** All `@descriptor` and `@displayName` tags in the comments of a kind, and those of them that have been used. */
interface ReadTags {
  readonly descriptors: ReadonlyMap<Tag, DescriptorTag>;
  readonly names: ReadonlySet<Tag>;
  readonly used: Set<Tag>;
}

/** Reads and checks all `@descriptor` and `@displayName` tags in the types of a kind. */
function readTags(root: SchemaNode, reporter: Reporter): ReadTags {
  const descriptors = new Map<Tag, DescriptorTag>();
  const names = new Set<Tag>();
  const seen = new Set<Doc>();
  const visit = (node: SchemaNode): void => {
    const { docs = [], docTrail = [] } = node.origin ?? {};
    for (const doc of docs.filter((item) => !seen.has(item))) {
      seen.add(doc);
      const parts = new Set<DescriptorPart>();
      for (const tag of doc.tags) {
        if (tag.name === 'displayName') {
          if (tag.text !== '' && !tag.text.includes('\n')) names.add(tag);
          else
            reporter.error(
              tagProblem('schema/tag-value', tag, `${doc.label}: @displayName expects one line of text`),
              docTrail,
            );
        }
        const read = tag.name === 'descriptor' ? readDescriptor(doc, tag, docTrail, reporter) : undefined;
        if (read === undefined) continue;
        descriptors.set(tag, read);
        if (parts.has(read.part)) {
          const message = `${doc.label}: @descriptor ${read.part} appears twice in this comment`;
          const fix = ['write all x-descriptors of the field into one tag'];
          reporter.error(tagProblem('schema/repeated-tag', tag, message, fix), docTrail);
        }
        parts.add(read.part);
      }
    }
    for (const inner of innerNodes(node)) visit(inner.node);
  };
  visit(root);
  return { descriptors, names, used: new Set() };
}

function readDescriptor(
  { label }: Doc,
  tag: Tag,
  docTrail: readonly Doc[],
  reporter: Reporter,
): DescriptorTag | undefined {
  const parsed = parseDescriptor(tag.text);
  if ('problem' in parsed) {
    const message = `${label}: @descriptor ${parsed.problem}`;
    const fix = ['write the part of the object first, such as `@descriptor spec`'];
    reporter.error(tagProblem('schema/tag-value', tag, message, fix), docTrail);
    return undefined;
  }
  for (const name of parsed.value.xDescriptors) {
    const problem = xDescriptorProblem(name);
    if (problem === undefined) continue;
    const message = `${label}: @descriptor: ${problem.message}`;
    reporter.warn(tagProblem('schema/unknown-x-descriptor', tag, message, [problem.fix]), docTrail);
  }
  return parsed.value;
}

/** @param path path of the parent of the fields; empty if the parent is spec or status itself */
function fieldsOf(tags: ReadTags, node: SchemaNode, part: DescriptorPart, path: string): Ordered[] {
  return Object.keys(node.schema.properties ?? {}).flatMap((name) => {
    const field = fieldNode(node, name);
    if (field === undefined) return [];
    const inner = path === '' ? name : `${path}.${name}`;
    const own = descriptorOf(tags, field, { part, path: inner, name, isTop: path === '' });
    return [...(own === undefined ? [] : [own]), ...insideOf(tags, field, part, inner)];
  });
}

/**
 * Returns the descriptors below a field. Skips the values of records, because their keys are not known in advance. Skips embedded kinds,
 * because they have their own descriptors.
 */
function insideOf(tags: ReadTags, node: SchemaNode, part: DescriptorPart, path: string): readonly Ordered[] {
  if (node.kind.isResource === true) return [];
  const items = itemsNode(node);
  return items === undefined ? fieldsOf(tags, node, part, path) : insideOf(tags, items, part, `${path}[0]`);
}

interface FieldPlace {
  readonly part: DescriptorPart;
  readonly path: string;
  readonly name: string;
  /** True if the field is directly below spec or status. */
  readonly isTop: boolean;
}

function descriptorOf(
  tags: ReadTags,
  { schema, origin }: SchemaNode,
  { part, path, name, isTop }: FieldPlace,
): Ordered | undefined {
  const docs = (origin?.docs ?? []).filter(({ kind }) => kind === 'member');
  const said = docs
    .flatMap((doc) => doc.tags)
    .flatMap((tag) => {
      const read = tags.descriptors.get(tag);
      if (read?.part !== part) return [];
      tags.used.add(tag);
      return [read];
    });
  const [first] = said;
  if (first === undefined && !isTop) return undefined;
  const { description } = schema;
  return {
    order: first?.order ?? Number.MAX_SAFE_INTEGER,
    descriptor: {
      path,
      displayName: nameOf(tags, docs) ?? displayName(name),
      ...(description === undefined || description === '' ? {} : { description }),
      ...(first === undefined || first.xDescriptors.length === 0
        ? {}
        : { 'x-descriptors': first.xDescriptors }),
    },
  };
}

/** Returns the text of the outermost `@displayName` tag in the given docs, and marks all `@displayName` tags in them as used. */
function nameOf({ names, used }: ReadTags, docs: readonly Doc[]): string | undefined {
  const said = docs.flatMap((doc) => doc.tags).filter((tag) => names.has(tag));
  for (const tag of said) used.add(tag);
  return said[0]?.text;
}

function useOf({ descriptors, names, used }: ReadTags, reporter: Reporter): TagUse {
  const warn = (tag: Tag): readonly Finding[] => {
    const where = reporter.nearest(tag, []);
    return where === undefined ? [] : [{ ...unusedTag(tag), where }];
  };
  const all = [...descriptors.keys(), ...names];
  return {
    used: all.filter((tag) => used.has(tag)).flatMap(warn),
    unused: all.filter((tag) => !used.has(tag)).flatMap(warn),
  };
}

function unusedTag({ name, text }: Tag): Finding {
  const [part] = text.split(/\s/, 1);
  return name === 'descriptor'
    ? {
        code: 'schema/unused-descriptor',
        message: `unused @descriptor: no kind has this field in its ${part ?? ''} (fields inside of records and embedded objects do not count)`,
        fix: [`put the tag above a field of the type of ${part ?? ''}, or remove the tag`],
      }
    : {
        code: 'schema/unused-descriptor',
        message: 'unused @displayName: it is neither on a kind nor on a field with a descriptor',
        fix: ['add `@descriptor spec` or `@descriptor status` to the field, or remove the tag'],
      };
}

/** Top-level fields of an object that have descriptors. */
const descriptorParts = ['spec', 'status'] as const;

type DescriptorPart = (typeof descriptorParts)[number];

/** Content of a `@descriptor` tag. */
interface DescriptorTag {
  readonly part: DescriptorPart;
  readonly xDescriptors: readonly string[];
  /** Position of the descriptor. Descriptors with an order come first, in ascending order. */
  readonly order?: number;
}

const form = 'expects `@descriptor spec|status [order=1] [x-descriptor …]`';

/** Reads the text of a `@descriptor` tag. */
export function parseDescriptor(text: string): Parsed<DescriptorTag> {
  const [first = '', ...rest] = text.split(/[\s,]+/).filter((word) => word !== '');
  const part = descriptorParts.find((item) => item === first);
  if (part === undefined) return { problem: `${form}, got ${JSON.stringify(first)}` };
  const orders = rest.filter((word) => word.startsWith('order='));
  const [order] = orders;
  if (orders.length > 1 || (order !== undefined && !/^order=\d{1,9}$/.test(order)))
    return { problem: `${form}; the order is one integer` };
  const xDescriptors = rest.filter((word) => !word.startsWith('order='));
  const repeated = xDescriptors.find((word, index) => xDescriptors.indexOf(word) !== index);
  if (repeated !== undefined) return { problem: `names ${repeated} twice` };
  return {
    value: {
      part,
      xDescriptors,
      ...(order === undefined ? {} : { order: Number(order.slice('order='.length)) }),
    },
  };
}
