import type { Parsed } from '../tags/values.ts';

/** The parts of an object that have descriptors. */
export const descriptorParts = ['spec', 'status'] as const;

export type DescriptorPart = (typeof descriptorParts)[number];

/** Parts of a `@descriptor` tag. */
export interface DescriptorTag {
  readonly part: DescriptorPart;
  readonly xDescriptors: readonly string[];
  /** Descriptors with an order come first, in ascending order. */
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
