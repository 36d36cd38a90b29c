// The first file of a worker has nothing that others import: WebKit would run it once more for them, and answer twice.
import "./serve.js";
