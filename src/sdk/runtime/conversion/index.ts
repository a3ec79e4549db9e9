export {
  defineConversion,
  type ConversionOf,
  type HubConversion,
  type SpokeConversion,
  type UntypedConversion,
} from './define-conversion.ts';
export type { Body, ConvertedBody } from './converted-body.ts';
