export {
  defineConversion,
  type ConversionOf,
  type HubConversion,
  type SpokeConversion,
  type UntypedConversion,
  type Body,
  type ConvertedBody,
} from './define-conversion.ts';
