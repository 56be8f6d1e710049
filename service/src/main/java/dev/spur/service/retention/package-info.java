/** What runs behind requests and rounds: threads that end with the program, and the forgetting of what is too old. */
@NullMarked
package dev.spur.service.retention;

import org.jspecify.annotations.NullMarked;
