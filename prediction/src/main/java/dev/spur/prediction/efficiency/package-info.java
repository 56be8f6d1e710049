/** Statistical efficiency by batch size and the remaining work, from a job's reports of its training. */
@NullMarked
package dev.spur.prediction.efficiency;

import org.jspecify.annotations.NullMarked;
