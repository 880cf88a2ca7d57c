/** The little of the WebAssembly interface that the kernel uses; neither the es2023 library nor @types/node declares it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: boolean });
    readonly buffer: SharedArrayBuffer;
  }
  class Instance {
    constructor(module: Module, imports: { host: { memory: Memory } });
    readonly exports: object;
  }
  function validate(bytes: Uint8Array): boolean;
}
