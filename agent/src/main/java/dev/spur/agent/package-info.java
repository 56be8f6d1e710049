/**
 * The reference executor: one process per node that starts and stops processes as assigned. It uses only the HTTP
 * interface of the service.
 */
@NullMarked
package dev.spur.agent;

import org.jspecify.annotations.NullMarked;
