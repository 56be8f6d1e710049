/**
 * What a job's own steps teach while it runs: windows of measurements that outliers and cold starts do not bend, and
 * changes that are noticed and named. State is plain data, so that whoever keeps it decides where.
 */
@NullMarked
package dev.spur.prediction.online;

import org.jspecify.annotations.NullMarked;
