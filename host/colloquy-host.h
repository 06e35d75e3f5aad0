/* Colloquy for applications: the only header that an application includes. */
#pragma once

#include "clq-host.h"
#include "clq-replay.h"
#include "clq-session.h"
