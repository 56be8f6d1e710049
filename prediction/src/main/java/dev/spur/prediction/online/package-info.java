/**
 * Online learning of a running job's step times: windows that are robust to outliers and cold starts, and detection and
 * attribution of changes. The state is plain data that the caller stores.
 */
@NullMarked
package dev.spur.prediction.online;

import org.jspecify.annotations.NullMarked;
