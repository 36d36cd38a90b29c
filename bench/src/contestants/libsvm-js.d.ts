/** The package has no types of its own; this is what the benchmark uses of it. */
declare module "libsvm-js" {
  export interface Svm {
    train(samples: readonly (readonly number[])[], labels: readonly number[]): void;
    predict(samples: readonly (readonly number[])[]): number[];
    serializeModel(): string;
    free(): void;
  }
  interface SvmClass {
    new (options: Readonly<Record<string, unknown>>): Svm;
    readonly KERNEL_TYPES: Readonly<Record<"LINEAR" | "POLYNOMIAL" | "RBF", number>>;
    readonly SVM_TYPES: Readonly<Record<"C_SVC" | "EPSILON_SVR", number>>;
  }
  const loading: Promise<SvmClass>;
  export default loading;
}
