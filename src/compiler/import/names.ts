import { kindsInTables } from '../../kubernetes/tables/index.ts';

/** Reserved words, which cannot name a type or a constant. Source: the TypeScript compiler. */
const keywords: ReadonlySet<string> = new Set(
  [
    'any unknown never number bigint boolean string symbol void object undefined null true false this',
    'break case catch class const continue debugger default delete do else enum export extends finally for function if import in',
    'instanceof new return super switch throw try typeof var while with implements interface let package private protected public',
    'static yield await async of type eval arguments',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Converts a text to Pascal case: `spec.matchLabels` → `SpecMatchLabels`. The result contains only letters and digits, and may begin with a
 * digit.
 */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** Returns the singular of a field's name, if a simple rule of English forms it; if not, undefined. */
export function singular(name: string): string | undefined {
  const word = /[A-Za-z]*$/.exec(name)?.[0].toLowerCase() ?? '';
  if (word.length < 4 || /(?:ss|us|is|os|as)$/.test(word) || !word.endsWith('s')) return undefined;
  if (word.endsWith('ies') && word.length > 4) return `${name.slice(0, -3)}y`;
  return /(?:sses|tuses|shes|ches|xes|zes)$/.test(word) ? name.slice(0, -2) : name.slice(0, -1);
}

/** Returns the name for a kind's interface and token. It is the kind itself if that is a valid name in TypeScript. */
export function kindIdentifier(kind: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(kind) && !keywords.has(kind)) return kind;
  const name = pascal(kind);
  return /^[A-Za-z]/.test(name) ? name : `Kind${name}`;
}

/** Returns the alias for an imported name that the file already uses for a type of its own. */
export function aliasOf(name: string): string {
  return `Opsdk${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Allocates unique names for the types of one file. The same requests in the same order always get the same names. */
export interface NameRegistry {
  /** Allocates a name. Returns the requested name if it is free; if not, the name with the lowest free number appended. */
  take(name: string): string;
  /** Returns true if the file uses the name for a type of its own, or for a type that it imports from files of shared types. */
  has(name: string): boolean;
  /** Returns true if the name is unused, so that a declaration may get it. */
  isFree(name: string): boolean;
}

interface NamesInUse {
  /** Names that the file always declares, such as the name of its kind. */
  readonly own: readonly string[];
  /** Names of types that the file imports from files of shared types. */
  readonly shared?: readonly string[];
  /** Names of types that the file imports from packages. */
  readonly imported?: Iterable<string>;
}

export function createNames({ own, shared = [], imported = [] }: NamesInUse): NameRegistry {
  const used = new Set(own);
  const aliases = new Set([...own, ...shared].map(aliasOf));
  const elsewhere = new Set(shared);
  const ofPackages = new Set(imported);
  const isFree = (name: string): boolean =>
    /^[A-Za-z_$]/.test(name) &&
    ![used, elsewhere, ofPackages, aliases].some((names) => names.has(name)) &&
    !isTaken(name);
  return {
    take(name) {
      let free = name;
      for (let number = 2; !isFree(free); number++) free = `${name}${number}`;
      used.add(free);
      return free;
    },
    has: (name) => used.has(name) || elsewhere.has(name),
    isFree,
  };
}

let kinds: ReadonlySet<string> | undefined;

/**
 * Returns true if a declaration must not get a name. This includes the names of built-in kinds, such as Secret, because controllers import
 * built-in kinds together with the types of their own kind.
 */
function isTaken(name: string): boolean {
  kinds ??= new Set(kindsInTables().map(({ kind }) => kind));
  return takenNames.has(name) || kinds.has(name);
}

/**
 * Names that readers would mistake for something other than a type of the API. They are the names of the language and its libraries, and
 * the names that opsdk exports.
 */
export const takenNames: ReadonlySet<string> = new Set(
  [
    // Names that `opsdk` exports. Names with a lower-case initial are omitted, because types do not have such names.
    'AddClusterOptions AdmissionContext AdmissionOperation AdmissionRequest AdmissionSettings AnyWebhook',
    'ApiDirectory ApiError ApplyObject ApplyOptions AtLeastOneOf AtMostOneOf AtomicList AtomicMap',
    'AtomicObject Base64 Body CachedKind CachedReader CallOptions CallTarget CelRule CertificateAuthority',
    'CertificateAuthorityOptions CertificateFiles CertificateRequest CertificateUsage Client CommandContext',
    'Cluster ClusterClient ClusterClientOptions ClusterHandle ClusterReader Condition ConditionList',
    'Controller ControllerClient ControllerOptions Conversion ConversionClientConfig ConversionOf',
    'ConvertedBody CreateObject CreateOrUpdateResult Credentials CronSchedule CustomResource DateTime DeepPartial',
    'DeepReadonly DefinitionForm DeleteCollectionOptions DeleteOptions DeleteResult Double Duration',
    'DurationLike EmbeddedObjectMeta EmbeddedResource EmptyObject ErrorCode ErrorContext EventOptions EventRecorder',
    'EvictOptions ExecOptions ExecResult KeyPair OperatorMainOptions PodLogOptions ScheduleTimes Validity',
    'ExactlyOneOf ExternalResource FieldError FieldPath Finding FindingCode Float Float32 GroupOf',
    'ForgetContext HeaderValues HealthCheck HealthReport HubConversion Index IndexOptions Int32 Int64 IntOrString Integer',
    'Json JsonObject JsonPatchOperation JsonPath KeySource KubeList KubeObject LeaderElectionOptions ListMap',
    'ListMeta ListOptions ListSet LiveClient LiveReader LoadClusterOptions LogFormat LogLevel Logger',
    'LoggerOptions ManagedFieldsEntry Manager ManagerOptions MapContext MergePatch MetricsOptions Mutable NamedObjectMeta ObjectEvent',
    'ObjectKey ObjectKeys ObjectMeta ObjectOf ObjectWatch ObjectWatchEvent OpSdkError Operation',
    'OperatorCondition OperatorConditionOptions OperatorContext OperatorFlags OtherClusterClient OwnedKind',
    'OwnedOptions OwnerReference PageOptions PartialObjectMetadata Patch Permitted Predicate PrinterColumn',
    'Quantity Query RawExtension RawRequest RawResponse RbacRule Reader ReconcileContext ReconcileObservation',
    'ReconcileObserver ReconcileOutcome ReconcileResult ReconcileTrigger Reconciled ReportedCondition',
    'Resource ResourceDefinition RetryBackoff Runnable RunnableContext ScalarPath Scale ScaleSubresource',
    'SchemaObject SchemaResourceDefinition',
    'Selection SelfSignedOptions SelfSignedSettings ServedType SourceContext SpokeConversion StandardField',
    'StandardJsonSchema',
    'Status StatusOf Stored StoredCopy Submitted SubresourceClient TlsMaterial UntypedConversion Validated VersionOf',
    'WatchEventsOptions WatchOptions Webhook WebhookOptions WebhooksOptions Where WriteOptions Writer',
    // Functions of `opsdk` that the generated files call.
    'defineResource externalResource',
    // Globals of TypeScript's `lib.es2023.d.ts` and of Node.
    'AbortController AbortSignal AggregateError AggregateErrorConstructor AllowSharedBuffer Array ArrayBuffer',
    'ArrayBufferConstructor ArrayBufferLike ArrayBufferTypes ArrayBufferView ArrayConstructor ArrayIterator',
    'ArrayLike AsyncDisposable AsyncGenerator AsyncGeneratorFunction AsyncGeneratorFunctionConstructor',
    'AsyncIterable AsyncIterableIterator AsyncIterator AsyncIteratorObject Atomics Awaited BigInt',
    'BigInt64Array BigInt64ArrayConstructor BigIntConstructor BigIntToLocaleStringOptions BigUint64Array',
    'BigUint64ArrayConstructor Blob Boolean BooleanConstructor BroadcastChannel Buffer BufferConstructor',
    'BufferEncoding BuiltinIteratorReturn ByteLengthQueuingStrategy CallableFunction Capitalize',
    'ClassAccessorDecoratorContext ClassAccessorDecoratorResult ClassAccessorDecoratorTarget ClassDecorator',
    'ClassDecoratorContext ClassFieldDecoratorContext ClassGetterDecoratorContext ClassMemberDecoratorContext',
    'ClassMethodDecoratorContext ClassSetterDecoratorContext CompressionStream ConcatArray Console',
    'ConstructorParameters CountQueuingStrategy CustomEvent DOMException DataView DataViewConstructor Date',
    'DateConstructor DecompressionStream DecoratorContext DecoratorMetadata DecoratorMetadataObject',
    'Disposable Error ErrorConstructor ErrorOptions EvalError EvalErrorConstructor Event EventListenerOptions',
    'EventSource EventSourceInit EventTarget Exclude Extract File FinalizationRegistry',
    'FinalizationRegistryConstructor FlatArray Float32Array Float32ArrayConstructor Float64Array',
    'Float64ArrayConstructor FormData Function FunctionConstructor Generator GeneratorFunction',
    'GeneratorFunctionConstructor Global Headers IArguments ImportAssertions ImportAttributes',
    'ImportCallOptions ImportMeta Infinity InstanceType Int16Array Int16ArrayConstructor Int32Array',
    'Int32ArrayConstructor Int8Array Int8ArrayConstructor Intl Iterable IterableIterator Iterator',
    'IteratorObject IteratorResult IteratorReturnResult IteratorYieldResult JSON Lowercase Map MapConstructor',
    'MapIterator Math MessageChannel MessageEvent MessageEventInit MessagePort MethodDecorator NaN',
    'NewableFunction NoInfer NodeJS NodeModule NodeRequire NonNullable NonSharedBuffer Number',
    'NumberConstructor Object ObjectConstructor Omit OmitThisParameter ParameterDecorator Parameters Partial',
    'PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList',
    'PerformanceResourceTiming Pick Promise PromiseConstructor PromiseConstructorLike PromiseFulfilledResult',
    'PromiseLike PromiseRejectedResult PromiseSettledResult PropertyDecorator PropertyDescriptor',
    'PropertyDescriptorMap PropertyKey Proxy ProxyConstructor ProxyHandler QueuingStrategy RangeError',
    'RangeErrorConstructor ReadableByteStreamController ReadableStream ReadableStreamBYOBReader',
    'ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader Readonly',
    'ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError ReferenceErrorConstructor Reflect RegExp',
    'RegExpConstructor RegExpExecArray RegExpIndicesArray RegExpMatchArray RegExpStringIterator',
    'RelativeIndexable Request RequestInit RequireResolve Required Response ResponseInit ReturnType Set',
    'SetConstructor SetIterator SharedArrayBuffer SharedArrayBufferConstructor String StringConstructor',
    'StringIterator Symbol SymbolConstructor SyntaxError SyntaxErrorConstructor TemplateStringsArray',
    'TextDecoder TextDecoderStream TextEncoder TextEncoderStream ThisParameterType ThisType TransformStream',
    'TransformStreamDefaultController TypeError TypeErrorConstructor TypedPropertyDescriptor URIError',
    'URIErrorConstructor URL URLSearchParams Uint16Array Uint16ArrayConstructor Uint32Array',
    'Uint32ArrayConstructor Uint8Array Uint8ArrayConstructor Uint8ClampedArray Uint8ClampedArrayConstructor',
    'Uncapitalize Uppercase WeakKey WeakKeyTypes WeakMap WeakMapConstructor WeakRef WeakRefConstructor',
    'WeakSet WeakSetConstructor WebSocket WebSocketInit WritableStream WritableStreamDefaultController',
    'WritableStreamDefaultWriter',
  ].flatMap((line) => line.split(' ')),
);
