/** The executor protocol of {@code openapi.yaml}: messages and HTTP client. */
@NullMarked
package dev.spur.agent.protocol;

import org.jspecify.annotations.NullMarked;
