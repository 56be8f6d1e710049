/** Long polls: callers that wait for a change without a thread. */
@NullMarked
package dev.spur.service.longpoll;

import org.jspecify.annotations.NullMarked;
