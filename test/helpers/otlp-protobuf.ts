// Reads an ExportTraceServiceRequest of OTLP. Source: opentelemetry-proto `trace/v1/trace.proto`, and the wire format of protobuf.
import type { JsonTraces } from './otlp-receiver.ts';

/** Values of the fields of a message by the number of the field, in their order. */
type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Buffer => {
    if (at + length > message.length) throw new RangeError('the message ends within a field');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const field = tag >> 3;
    const type = tag & 7;
    const value =
      type === 0 ? varint() : type === 1 ? bytes(8) : type === 2 ? bytes(Number(varint())) : bytes(4);
    if (![0, 1, 2, 5].includes(type)) throw new TypeError(`field ${field} has the unknown wire type ${type}`);
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

const messages = (fields: Fields, field: number): Fields[] =>
  (fields.get(field) ?? []).map((value) => fieldsOf(value as Buffer));
const bytesOf = (fields: Fields, field: number): Buffer =>
  (fields.get(field)?.at(-1) as Buffer | undefined) ?? Buffer.alloc(0);
const text = (fields: Fields, field: number): string => bytesOf(fields, field).toString('utf8');
const integer = (fields: Fields, field: number): number => Number(fields.get(field)?.at(-1) ?? 0n);

function attributesOf(fields: Fields, field: number) {
  return messages(fields, field).map((attribute) => {
    const value = messages(attribute, 2)[0] ?? new Map();
    return {
      key: text(attribute, 1),
      value: {
        ...(value.has(1) ? { stringValue: text(value, 1) } : {}),
        ...(value.has(2) ? { boolValue: integer(value, 2) === 1 } : {}),
        ...(value.has(3) ? { intValue: integer(value, 3) } : {}),
        ...(value.has(4) ? { doubleValue: bytesOf(value, 4).readDoubleLE() } : {}),
      },
    };
  });
}

export function decodeTraces(request: Buffer): JsonTraces {
  const resourceSpans = messages(fieldsOf(request), 1).map((resource) => ({
    resource: { attributes: attributesOf(messages(resource, 1)[0] ?? new Map(), 1) },
    scopeSpans: messages(resource, 2).map((scoped) => ({
      scope: { name: text(messages(scoped, 1)[0] ?? new Map(), 1) },
      spans: messages(scoped, 2).map((span) => {
        const status = messages(span, 15)[0] ?? new Map();
        return {
          traceId: bytesOf(span, 1).toString('hex'),
          spanId: bytesOf(span, 2).toString('hex'),
          parentSpanId: bytesOf(span, 4).toString('hex'),
          name: text(span, 5),
          kind: integer(span, 6),
          attributes: attributesOf(span, 9),
          events: messages(span, 11).map((event) => ({
            name: text(event, 2),
            attributes: attributesOf(event, 3),
          })),
          status: { message: text(status, 2), code: integer(status, 3) },
        };
      }),
    })),
  }));
  return { resourceSpans };
}
